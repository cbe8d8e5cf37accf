package io.quotatree.gateway.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files, in PEM, that TLS is spoken by.
 *
 * @param cert the certificate, and after it those that lead to its authority
 * @param key the certificate's private key, without a password
 * @param clientCa the authorities of clients; where there are any, every client needs a certificate
 *     of theirs
 */
public record Tls(Path cert, Path key, Optional<Path> clientCa) {

  /** All of them; always in the same order. */
  List<Path> files() {
    List<Path> files = new ArrayList<>(List.of(cert, key));
    clientCa.ifPresent(files::add);
    return files;
  }
}
