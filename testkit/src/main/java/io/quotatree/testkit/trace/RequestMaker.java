package io.quotatree.testkit.trace;

import io.quotatree.core.policy.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Random requests over the names that trees know, and a few that they do not. */
final class RequestMaker {

  private static final List<String> CALLERS =
      List.of("c1", "c1", "c2", "x", "c:1/é", "", "anonymous");
  private static final List<String> USERS =
      List.of("u1", "u1", "u2", "v", "0", "", "anonymous", "u1!writes", "ip:192.0.2.1");
  private static final List<String> PLANS = List.of("", "", "vip", "gold", "unheard-of");
  private static final List<String> METHODS =
      List.of("GET", "GET", "POST", "HEAD", "PUT", "OPTIONS");
  private static final List<String> PATHS =
      List.of(
          "/a",
          "/a",
          "/a/1",
          "/a/2",
          "/a/1/b",
          "/b",
          "/b/c",
          "/q/c",
          "/zzz/1",
          "/zzz/2",
          "/",
          "//a",
          "/a/",
          "/./a",
          "/x/../a",
          "/%61",
          "/a;v=1/1",
          "/b//c/");
  private static final List<String> ADDRESSES =
      List.of(
          "",
          "192.0.2.1",
          "192.0.2.2",
          "198.51.100.1",
          "::ffff:192.0.2.1",
          "::ffff:c000:201",
          "2001:db8:1:2::1",
          "2001:DB8:1:2:0:0:0:2",
          "2001:db8:1:3::1",
          "2001:db8::5",
          "fe80::1%eth0");
  private static final List<String> SESSIONS = List.of("", "s1", "s2");

  private final Dice dice;
  private final Scale scale;

  RequestMaker(Dice dice, Scale scale) {
    this.dice = dice;
    this.scale = scale;
  }

  Request request() {
    return new Request(
        dice.pick(CALLERS),
        dice.pick(USERS),
        dice.chance(15) ? Request.Proof.UNPROVEN : Request.Proof.PROVEN,
        dice.pick(PLANS),
        dice.pick(METHODS),
        dice.pick(PATHS),
        cost(),
        dice.pick(ADDRESSES),
        dice.pick(SESSIONS));
  }

  /** A request that shares much with another. */
  Request like(Request other) {
    Request fresh = request();
    return new Request(
        dice.chance(80) ? other.caller() : fresh.caller(),
        dice.chance(70) ? other.user() : fresh.user(),
        dice.chance(90) ? other.proof() : fresh.proof(),
        dice.chance(90) ? other.plan() : fresh.plan(),
        dice.chance(70) ? other.method() : fresh.method(),
        dice.chance(70) ? other.path() : fresh.path(),
        dice.chance(60) ? other.cost() : cost(),
        dice.chance(80) ? other.address() : fresh.address(),
        dice.chance(80) ? other.session() : fresh.session());
  }

  private @Nullable Long cost() {
    int kind = dice.between(1, 40);
    if (kind <= 2) {
      return kind == 1 ? 0L : scale.count(dice, 20);
    }
    if (kind <= 34) {
      return scale.permits() == 1 ? null : scale.count(dice, 1);
    }
    return scale.count(dice, 3);
  }
}
