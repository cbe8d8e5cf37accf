package io.quotatree.redis.servers;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;

/**
 * Who this gateway is to servers that ask. Its text tells no secret.
 *
 * @param user null where servers have no names
 * @param password the secret
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
public record Login(@Nullable String user, char[] password) {

  /** Connections to this address say so. */
  void at(RedisURI uri) {
    uri.setCredentialsProvider(
        RedisCredentialsProvider.from(() -> RedisCredentials.just(user, password)));
  }

  @Override
  public String toString() {
    return user == null ? "a password" : user;
  }
}
