package io.quotatree.gateway.server;

import io.quotatree.quotafile.Watch;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate that the gateway shows, and the authorities of its clients; read again when their
 * files change. What cannot be used changes nothing and is logged; connections that are open stay
 * as they are.
 */
final class Certificates implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Certificates.class);

  private static final int MAX_BYTES = 1024 * 1024;

  private static final Set<String> PROTOCOLS = Set.of("TLSv1.3", "TLSv1.2");

  /** Those of TLS 1.3, and of TLS 1.2 what has forward secrecy and is authenticated as a whole. */
  private static final List<String> CIPHERS =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  private static final String[] KEY_TYPES = {"RSA", "EC", "EdDSA", "Ed25519"};

  private final Vertx vertx;
  private final Tls tls;
  private final Watch watch;

  /** What is in force. Used by the watch's thread alone once that has started. */
  private List<Buffer> inForce;

  /** Where new ones go; set before the watch starts. */
  private HttpServer server;

  /**
   * Reads the files for the first time.
   *
   * @throws TlsException if they cannot be used
   */
  @SuppressWarnings("NullAway.Init") // the server comes with `follow`
  Certificates(Vertx vertx, Tls tls) throws TlsException {
    this.vertx = vertx;
    this.tls = tls;
    this.inForce = new ArrayList<>();
    for (Path file : tls.files()) {
      inForce.add(read(file));
    }
    check(inForce);
    this.watch = new Watch("quotatree-tls", tls.files(), MAX_BYTES, this::attempt);
  }

  private static Buffer read(Path file) throws TlsException {
    try {
      return Buffer.buffer(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new TlsException(
          "server.tls: " + file + " cannot be read (" + e + "); see to its path and permissions",
          e);
    }
  }

  /** Makes a server speak TLS. */
  void configure(HttpServerOptions options) {
    options.setSsl(true).setUseAlpn(true);
    fill(options.getSslOptions(), inForce);
  }

  private ServerSSLOptions fill(ServerSSLOptions options, List<Buffer> files) {
    options
        .setClientAuth(tls.clientCa().isPresent() ? ClientAuth.REQUIRED : ClientAuth.NONE)
        .setKeyCertOptions(keyAndCert(files))
        .setEnabledSecureTransportProtocols(PROTOCOLS);
    CIPHERS.forEach(options::addEnabledCipherSuite);
    if (tls.clientCa().isPresent()) {
      options.setTrustOptions(clientCa(files));
    }
    return options;
  }

  private static PemKeyCertOptions keyAndCert(List<Buffer> files) {
    return new PemKeyCertOptions().addCertValue(files.get(0)).addKeyValue(files.get(1));
  }

  private static PemTrustOptions clientCa(List<Buffer> files) {
    return new PemTrustOptions().addCertValue(files.get(2));
  }

  /** From now on changes of the files reach this server, and all that share its address. */
  void follow(HttpServer of) {
    server = of;
    watch.start();
  }

  private Watch.Attempt attempt(Watch.Content content) {
    if (!content.failure().isEmpty()) {
      return new Attempt(List.of(), content.failure());
    }
    List<Buffer> files = new ArrayList<>();
    for (int i = 0; i < tls.files().size(); i++) {
      files.add(Buffer.buffer(content.bytes(i)));
    }
    try {
      check(files);
      return new Attempt(files, "");
    } catch (TlsException e) {
      return new Attempt(List.of(), String.valueOf(e.getMessage()));
    }
  }

  /** New files, or what is wrong with them. */
  private final class Attempt implements Watch.Attempt {
    private final List<Buffer> files;
    private final String failure;

    Attempt(List<Buffer> files, String failure) {
      this.files = files;
      this.failure = failure;
    }

    @Override
    public boolean isRight() {
      return failure.isEmpty();
    }

    @Override
    public void take() {
      if (!failure.isEmpty()) {
        log.error("the certificate is as it was: {}", failure);
      } else if (!files.equals(inForce)) {
        use(files);
      }
    }
  }

  private void use(List<Buffer> files) {
    inForce = files;
    server
        .updateSSLOptions(fill(new ServerSSLOptions(), files))
        .onSuccess(changed -> log.info("a new certificate is in force, from {}", tls.cert()))
        .onFailure(mistake -> log.error("the certificate is as it was", mistake));
  }

  private void check(List<Buffer> files) throws TlsException {
    try {
      KeyManager[] managers = keyAndCert(files).getKeyManagerFactory(vertx).getKeyManagers();
      if (!isPair((X509KeyManager) managers[0])) {
        throw new TlsException(
            "server.tls: " + tls.key() + " is not the key of the certificate in " + tls.cert());
      }
    } catch (TlsException e) {
      throw e;
    } catch (Exception e) { // whatever the parsers of keys and certificates throw
      throw new TlsException(
          "server.tls: "
              + tls.cert()
              + " and "
              + tls.key()
              + " are no certificate and key in PEM ("
              + e.getMessage()
              + "); write both without a password",
          e);
    }
    try {
      if (tls.clientCa().isPresent()) {
        clientCa(files).getTrustManagerFactory(vertx);
      }
    } catch (Exception e) { // as above
      throw new TlsException(
          "server.tls: "
              + tls.clientCa().get()
              + " holds no certificates in PEM ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  /** Whether the key signs what the certificate can verify. */
  private static boolean isPair(X509KeyManager manager) throws GeneralSecurityException {
    for (String type : KEY_TYPES) {
      String[] aliases = manager.getServerAliases(type, null);
      if (aliases != null && aliases.length > 0) {
        X509Certificate cert = manager.getCertificateChain(aliases[0])[0];
        return signs(manager.getPrivateKey(aliases[0]), cert.getPublicKey());
      }
    }
    return false;
  }

  private static boolean signs(PrivateKey key, PublicKey cert) throws GeneralSecurityException {
    if (!key.getAlgorithm().equals(cert.getAlgorithm())) {
      return false;
    }
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    byte[] anything = algorithm.getBytes(StandardCharsets.US_ASCII);
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(anything);
    byte[] signed = signature.sign();
    signature.initVerify(cert);
    signature.update(anything);
    return signature.verify(signed);
  }

  @Override
  public void close() {
    watch.close();
  }
}
