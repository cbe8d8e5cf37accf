package io.quotatree.bench.scg;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Spring Cloud Gateway as its starter sets it up, with the one route of its application.yaml. */
@SpringBootApplication
public class Gateway {

  /** Listens on {@code --server.port}, and passes on to {@code --service}. */
  public static void main(String[] args) {
    SpringApplication.run(Gateway.class, args);
  }
}
