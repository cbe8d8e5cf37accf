package io.quotatree.gateway;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A certificate that vouches for itself, for 127.0.0.1, made by the JDK's own tool. */
final class TestCertificate {

  private static final String PASSWORD = "changeit";

  private final KeyStore store;

  private TestCertificate(KeyStore store) {
    this.store = store;
  }

  /** A new one. */
  static TestCertificate of(Path folder, String name, String algorithm) {
    Path file = folder.resolve(name + "-" + algorithm + ".p12");
    try {
      Process tool =
          new ProcessBuilder(
                  System.getProperty("java.home") + "/bin/keytool",
                  "-genkeypair",
                  "-alias",
                  "own",
                  "-keyalg",
                  algorithm,
                  "-dname",
                  "CN=" + name,
                  "-ext",
                  "san=ip:127.0.0.1",
                  "-storetype",
                  "PKCS12",
                  "-storepass",
                  PASSWORD,
                  "-keystore",
                  file.toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (tool.waitFor() != 0) {
        throw new AssertionError(said);
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = new ByteArrayInputStream(Files.readAllBytes(file))) {
        store.load(in, PASSWORD.toCharArray());
      }
      return new TestCertificate(store);
    } catch (IOException | InterruptedException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  Certificate certificate() {
    try {
      return store.getCertificate("own");
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  String certPem() {
    try {
      return pem("CERTIFICATE", certificate().getEncoded());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  String keyPem() {
    try {
      return pem("PRIVATE KEY", store.getKey("own", PASSWORD.toCharArray()).getEncoded());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static String pem(String what, byte[] bytes) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
  }

  /** What a client speaks TLS by that trusts these, and shows this one if it is asked. */
  SSLContext contextTrusting(TestCertificate... trusted) {
    return context(this, trusted);
  }

  /** What a client without a certificate speaks TLS by. */
  static SSLContext trusting(TestCertificate... trusted) {
    return context(null, trusted);
  }

  private static SSLContext context(@Nullable TestCertificate own, TestCertificate... trusted) {
    try {
      KeyStore anchors = KeyStore.getInstance("PKCS12");
      anchors.load(null, null);
      for (int i = 0; i < trusted.length; i++) {
        anchors.setCertificateEntry("trusted-" + i, trusted[i].certificate());
      }
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(anchors);
      KeyManager[] keys = null;
      if (own != null) {
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(own.store, PASSWORD.toCharArray());
        keys = factory.getKeyManagers();
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
