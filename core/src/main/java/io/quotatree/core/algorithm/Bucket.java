package io.quotatree.core.algorithm;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import java.math.BigInteger;

/**
 * Tokens that refill continuously up to a burst: {@code token_bucket} and {@code leaky_bucket}.
 *
 * <p>The word is not the tokens but the <em>theoretical arrival time</em>: the moment, on a clock
 * that counts the bucket's own {@link Scale units}, at which the bucket will be full again. What is
 * used is how far that moment lies ahead; time passing refills the bucket without anybody writing,
 * and a moment that has passed is a full bucket, whose word may be dropped.
 *
 * <pre>
 *            now                 word
 *   ----------|===================|-----------------------&gt;  units
 *             |&lt;------ used ------&gt;|
 *             |&lt;---------------- burst ---------------&gt;|
 *                                 |&lt;---- tokens -----&gt;|
 * </pre>
 *
 * <p>A token bucket grants what its tokens cover. A leaky bucket grants while it holds one token,
 * whatever the cost, and then takes as many turns as the request costs, into debt if need be.
 *
 * <p>Each limit's clock begins elsewhere, so that words of two limits do not look alike. Words wrap
 * at 63 bits and are compared by their difference. With a gain of up to 1000 units a microsecond
 * that takes 146 years; faster clocks take a word that lies implausibly far ahead for what it is,
 * one that was left alone until the clock had gone around: full.
 *
 * <p>Source: the generic cell rate algorithm, ITU-T I.371, virtual scheduling form.
 */
public final class Bucket extends WordAlgorithm {

  private final AlgorithmName name;
  private final boolean isLeaky;
  private final Rate rate;
  private final long burstPermits;
  private final long gainUnits;

  /** Where the bucket's clock begins. */
  private final long epochUnits;

  private final long permitUnits;
  private final long burstUnits;

  /** More permits than so many have more units than are counted. */
  private final long countablePermits;

  /** The most that may be owed: the burst and 10^9 permits more. */
  private final long mostOwedUnits;

  /** Used units above which a word is one that the clock has gone around. */
  private final long plausibleUnits;

  private Bucket(RateLimit limit) {
    super(false);
    this.name = limit.algorithm();
    this.isLeaky = name == AlgorithmName.LEAKY_BUCKET;
    this.rate = limit.rate();
    this.burstPermits = limit.burstPermits();
    Scale scale = Scale.of(rate, burstPermits);
    this.gainUnits = scale.gainUnits();
    this.epochUnits = epoch();
    this.permitUnits = scale.permitUnits();
    this.countablePermits = Scale.MAX_UNITS / permitUnits;
    this.burstUnits = Math.multiplyExact(burstPermits, permitUnits);
    this.mostOwedUnits = mostOwed();
    this.plausibleUnits = plausible();
  }

  static Bucket of(RateLimit limit) {
    if (!limit.algorithm().isBucket()) {
      throw new IllegalArgumentException(limit.algorithm().word() + " is no bucket");
    }
    return new Bucket(limit);
  }

  private long mostOwed() {
    BigInteger units =
        BigInteger.valueOf(burstPermits + Rate.MAX_PERMITS)
            .multiply(BigInteger.valueOf(permitUnits));
    return units.min(BigInteger.valueOf(Scale.MAX_UNITS)).longValueExact();
  }

  /**
   * Each limit's clock begins elsewhere in the 63 bits, so that words of two limits do not look
   * alike: a swap of a word that was rewritten meanwhile for another limit must fail, although
   * charges since may have brought it to the same number of units. Any scattered number does.
   * Source of the mixing: SplitMix64 (Steele, Lea, Flood).
   */
  private long epoch() {
    long mixed = rate.permits() * 0x9e3779b97f4a7c15L ^ rate.periodMicros();
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L + burstPermits;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  private long clockUnits(long now) {
    return now * gainUnits + epochUnits;
  }

  /**
   * The word of a bucket of which so much is used.
   *
   * @param usedUnits 0 or more; a permit has {@link #permitUnits}
   */
  public long word(long now, long usedUnits) {
    return (clockUnits(now) + usedUnits) & WORD_MASK;
  }

  private long plausible() {
    if (gainUnits <= Scale.MAX_EXACT_GAIN) {
      return Scale.MAX_UNITS;
    }
    BigInteger units =
        BigInteger.valueOf(mostOwedUnits)
            .add(BigInteger.valueOf(STALEST_MICROS).multiply(BigInteger.valueOf(gainUnits)));
    return units.min(BigInteger.valueOf(Scale.MAX_UNITS)).longValueExact();
  }

  /** Units that come back in a microsecond. */
  public long gainUnits() {
    return gainUnits;
  }

  /** Units of a permit. */
  public long permitUnits() {
    return permitUnits;
  }

  @Override
  public long capacityPermits() {
    return burstPermits;
  }

  @Override
  public String shape() {
    return name.word() + "-" + rate.periodMicros() / 1000;
  }

  @Override
  public String figures() {
    return shape() + "-" + rate.permits() + "-" + burstPermits;
  }

  @Override
  public long fresh(long now, int offsetMillis) {
    return word(now, 0);
  }

  @Override
  public boolean isFresh(long word, long now) {
    return usedUnits(word, now) == 0;
  }

  /** How far the word lies ahead of now; 0 where it does not, or implausibly far. */
  private long usedUnits(long word, long now) {
    // Sign-extends the 63-bit difference.
    long ahead = ((word - clockUnits(now)) << 1) >> 1;
    return ahead <= 0 || ahead > plausibleUnits ? 0 : ahead;
  }

  @Override
  public long charged(long word, long now, long costPermits) {
    if (isLeaky) {
      return chargedLeaky(word, now, costPermits);
    }
    long used = usedUnits(word, now);
    // Compared in permits first: costs are up to 10^9 and their units might not fit.
    return costPermits <= burstPermits && used <= burstUnits - costPermits * permitUnits
        ? word(now, used + costPermits * permitUnits)
        : REFUSED;
  }

  private long chargedLeaky(long word, long now, long costPermits) {
    long used = usedUnits(word, now);
    // A debt of over a century is forgotten beyond it.
    return used <= burstUnits - permitUnits
        ? word(now, used + Math.min(Scale.MAX_UNITS - used, units(costPermits)))
        : REFUSED;
  }

  /**
   * Gives back the cost less what has refilled since, never below nothing.
   *
   * <p>Giving back all of it would make permits: between charge and undo another request may have
   * found the bucket full, and what flowed in meanwhile would count twice.
   */
  @Override
  public long undone(long word, long chargedWord, long elapsedMicros, long costPermits) {
    long refilled =
        elapsedMicros > Scale.MAX_UNITS / gainUnits ? Scale.MAX_UNITS : elapsedMicros * gainUnits;
    return (word - Math.max(0, units(costPermits) - refilled)) & WORD_MASK;
  }

  @Override
  public long refunded(long word, long chargedWord, long now, long costPermits) {
    long used = usedUnits(word, now);
    return (word - Math.min(used, units(costPermits))) & WORD_MASK;
  }

  private long units(long permits) {
    return permits > countablePermits ? Scale.MAX_UNITS : permits * permitUnits;
  }

  /** Debts end at 10^9 permits over the burst, so that no word looks like one gone around. */
  @Override
  public long owed(long word, long now, long costPermits) {
    long used = usedUnits(word, now);
    long room = Math.max(0, mostOwedUnits - used);
    return word(now, used + Math.min(room, units(costPermits)));
  }

  @Override
  public long emptied(long word, long now) {
    return fresh(now, 0);
  }

  @Override
  public long remaining(long word, long now) {
    long left = burstUnits - usedUnits(word, now);
    return left <= 0 ? 0 : left / permitUnits;
  }

  @Override
  public long waitMicros(long word, long now, long costPermits) {
    return waitMicros(word, this, now, costPermits);
  }

  /** What is used wears off at the writer's rate, until it leaves room below this burst. */
  @Override
  public long waitMicros(long word, WordAlgorithm writer, long now, long costPermits) {
    Bucket by = bucket(writer);
    if (!isLeaky && costPermits > burstPermits) {
      return NEVER;
    }
    long mayBeUsedPermits = burstPermits - (isLeaky ? 1 : costPermits);
    // More permits than the writer's units can count are never used.
    long tooMany =
        mayBeUsedPermits > by.countablePermits
            ? 0
            : by.usedUnits(word, now) - mayBeUsedPermits * by.permitUnits;
    return tooMany <= 0 ? 0 : ceilDiv(tooMany, by.gainUnits);
  }

  private Bucket bucket(WordAlgorithm writer) {
    if (writer instanceof Bucket bucket && bucket.name == name) {
      return bucket;
    }
    throw new IllegalArgumentException(writer.shape() + " wrote a word for " + shape());
  }

  @Override
  public long resetMicros(long word, long now) {
    return ceilDiv(usedUnits(word, now), gainUnits);
  }

  /** Rounds up: whoever waits as long must not come early. */
  private static long ceilDiv(long units, long gainUnits) {
    return units / gainUnits + (units % gainUnits == 0 ? 0 : 1);
  }

  @Override
  public long adopted(long word, WordAlgorithm writer, long now) {
    Bucket other = bucket(writer);
    if (other.rate.equals(rate) && other.burstPermits == burstPermits) {
      return word;
    }
    BigInteger[] units =
        BigInteger.valueOf(other.usedUnits(word, now))
            .multiply(BigInteger.valueOf(permitUnits))
            .divideAndRemainder(BigInteger.valueOf(other.permitUnits));
    // Rounded up: a change of limits never gives a part of a permit back.
    BigInteger used = units[1].signum() == 0 ? units[0] : units[0].add(BigInteger.ONE);
    // More would be taken for a word that the clock has gone around, and forgotten whole.
    long most = isLeaky ? mostOwedUnits : burstUnits;
    return word(now, used.min(BigInteger.valueOf(most)).longValueExact());
  }
}
