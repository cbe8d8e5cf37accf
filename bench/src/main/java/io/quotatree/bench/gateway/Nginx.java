package io.quotatree.bench.gateway;

import io.quotatree.testkit.programs.DebianProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The two places where nginx stands: behind all proxies, and as one of them. */
final class Nginx {

  private static final String BODY = "hello from a service that answers at once, in a few words";

  private Nginx() {}

  /** A service that has its small answer at hand. */
  static Server service(Path folder, int port) {
    return start(
        folder,
        port,
        1,
        """
        server {
          listen 127.0.0.1:%d;
          location / { default_type text/plain; return 200 "%s\\n"; }
        }
        """
            .formatted(port, BODY));
  }

  /** A proxy that keeps its connections, counts by user, and adds the fields that ours adds. */
  static Server proxy(Path folder, int port, int service) {
    return start(
        folder,
        port,
        Runtime.getRuntime().availableProcessors(),
        """
        limit_req_zone $http_x_user_id zone=user:10m rate=1000000r/s;
        upstream service { server 127.0.0.1:%d; keepalive 256; keepalive_requests 1000000000; }
        server {
          listen 127.0.0.1:%d reuseport;
          location / {
            limit_req zone=user burst=1000000 nodelay;
            limit_req_status 429;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header X-Request-Id $request_id;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Forwarded-Host $http_host;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_pass http://service;
          }
        }
        """
            .formatted(service, port));
  }

  private static Server start(Path folder, int port, int workers, String http) {
    try {
      Files.createDirectories(folder);
      Files.writeString(
          folder.resolve("nginx.conf"),
          """
          daemon off;
          worker_processes %d;
          pid nginx.pid;
          error_log stderr warn;
          events { worker_connections 2048; }
          http {
            access_log off;
            keepalive_requests 1000000000;
            client_body_temp_path client_bodies;
            proxy_temp_path proxied;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            %s
          }
          """
              .formatted(workers, http));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Server.start(
        DebianProgram.NGINX.command("-p", folder.toString(), "-c", "nginx.conf", "-e", "stderr"),
        port,
        folder.resolve("log"));
  }
}
