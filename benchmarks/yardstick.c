/* A yardstick for the engine: the same games in plain C, default options, automatic UNO calls, whole rounds with
 * deals, by "play-if-you-can" (benchmarks/README.md says more, and how to build). Both programs use the same words
 * of chance and of policy: with the generator "chacha" and one seed they play the very same rounds. Clause ids are
 * those of docs/rules.md. -DCHECK counts all cards before every turn. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#define FAST static inline __attribute__((always_inline))
#define COLD static __attribute__((noinline))
#define RARE(x) __builtin_expect(x, 0)
#define BITS __builtin_popcountll

typedef uint8_t u8;
typedef uint32_t u32;
typedef unsigned long long u64;                       /* as the intrinsics and printf have it */

enum { ALL_WILD, CLASSIC, WILD_JACKPOT };
enum { DEAL = 1, RESHUFFLE, LEVER, RULES, BLIND };    /* purposes of a chance stream */
enum { SKIP = 10, REVERSE, DRAW_TWO, JACKPOT };       /* faces; 0-9 are the numbers */
enum { PLAIN, DRAW_FOUR, SKIP_TWO, TARGETED, SWAP };  /* faces only wilds have */
enum { WILD = 64, CARDS = 80, SEATS = 10, GOING = -2, NOBODY = -1 };

typedef struct { u32 words[64], word, counter, purpose, number, index; } Stream;  /* from counter on: its place */
/* A card is color * 16 + face; wilds have color 4. A hand: which cards, how many in all, how many of each, and, in Wild
 * Jackpot while it has any, how many of each may not be played before the next turn (CO-8). */
typedef struct { u64 colored; u32 wilds; int held, has_barred; u8 counts[CARDS], barred[CARDS]; } Hand;

typedef struct {
    Hand hand[SEATS];
    u8 pile[112], discard[112], deck[112], stack[8], used[8];
    u64 matching, plies;                              /* matching: colored cards that may be laid now */
    int pile_n, discard_n, deck_n, stack_n, used_n, players, direction, top, color, winner, passes, marks;
    u32 number, reshuffles, pulled, dispensed, blinds, key[8], dice[4];
    Stream cards;
} Table;
typedef struct { u64 wins[SEATS], places[SEATS], void_rounds, longest; } Tally;

/* --- chance --- */
#define ROTL(v, n) (((v) << (n)) | ((v) >> (32 - (n))))
#define QUARTERS(a, b, c, d) \
    (a = ADD(a, b), d = ROT16(XOR(d, a)), c = ADD(c, d), b = ROT12(XOR(b, c)), \
     a = ADD(a, b), d = ROT8(XOR(d, a)), c = ADD(c, d), b = ROT7(XOR(b, c)))
/* Eight rounds; 0x39, 0x4e and 0x93 turn a row by one, two and three words. */
#define ROUNDS(a, b, c, d) \
    for (int i = 0; i < 4; i++) { \
        QUARTERS(a, b, c, d); \
        b = TURN(b, 0x39), c = TURN(c, 0x4e), d = TURN(d, 0x93); \
        QUARTERS(a, b, c, d); \
        b = TURN(b, 0x93), c = TURN(c, 0x4e), d = TURN(d, 0x39); \
    }
static const u32 SIGMA[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

#define ADD(v, w) ((v) + (w))
#define XOR(v, w) ((v) ^ (w))
#define ROT16(v) ROTL(v, 16)
#define ROT12(v) ROTL(v, 12)
#define ROT8(v) ROTL(v, 8)
#define ROT7(v) ROTL(v, 7)
#define TURN(v, to) __builtin_shufflevector(v, v, (to) & 3, (to) >> 2 & 3, (to) >> 4 & 3, (to) >> 6)
typedef u32 Row __attribute__((vector_size(16)));     /* four words of one ChaCha block */
/* A ChaCha8 block of a stream. */
FAST void block(const Stream *s, const u32 *k, u32 counter, u32 *words) {
    Row a, b, c, d = {counter, s->purpose, s->number, s->index};
    memcpy(&a, SIGMA, 16), memcpy(&b, k, 16), memcpy(&c, k + 4, 16);
    const Row a0 = a, b0 = b, c0 = c, d0 = d;
    ROUNDS(a, b, c, d)
    const Row rows[4] = {a + a0, b + b0, c + c0, d + d0};
    memcpy(words, rows, 64);
}

/* The next four ChaCha8 blocks of a stream: in intrinsics where the processor has them, for compilers take longer
 * vectors apart, which flatters whoever is measured against them. Each part of 16 bytes of a Wide is of one block. */
#if defined __AVX512F__ || defined __AVX2__
#undef ADD
#undef XOR
#undef ROT16
#undef ROT12
#undef ROT8
#undef ROT7
#undef TURN
#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)
#endif
#if defined __AVX512F__
#define FORM "AVX-512"
typedef __m512i Wide;
#define ROW(p) _mm512_broadcast_i32x4(LOAD(p))
#define ADD _mm512_add_epi32
#define XOR _mm512_xor_si512
#define ROT16(v) _mm512_rol_epi32(v, 16)
#define ROT12(v) _mm512_rol_epi32(v, 12)
#define ROT8(v) _mm512_rol_epi32(v, 8)
#define ROT7(v) _mm512_rol_epi32(v, 7)
#define TURN(v, to) _mm512_shuffle_epi32(v, to)
COLD void fill(Stream *s, const u32 *k) {
    Wide a = ROW(SIGMA), b = ROW(k), c = ROW(k + 4), d = ROW(&s->counter);
    d = ADD(d, _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0));
    const Wide a0 = a, b0 = b, c0 = c, d0 = d;
    ROUNDS(a, b, c, d)
    const Wide rows[4] = {ADD(a, a0), ADD(b, b0), ADD(c, c0), ADD(d, d0)};
    for (int row = 0; row < 4; row++) {
        STORE(s->words + 4 * row, _mm512_extracti32x4_epi32(rows[row], 0));
        STORE(s->words + 4 * row + 16, _mm512_extracti32x4_epi32(rows[row], 1));
        STORE(s->words + 4 * row + 32, _mm512_extracti32x4_epi32(rows[row], 2));
        STORE(s->words + 4 * row + 48, _mm512_extracti32x4_epi32(rows[row], 3));
    }
    s->counter += 4, s->word = 0;
}
#elif defined __AVX2__
#define FORM "AVX2"
typedef __m256i Wide;
#define ROW(p) _mm256_broadcastsi128_si256(LOAD(p))
#define ADD _mm256_add_epi32
#define XOR _mm256_xor_si256
#define BYTES(v, high, low) _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(_mm_set_epi64x(high, low)))
#define ROT16(v) BYTES(v, 0x0d0c0f0e09080b0a, 0x0504070601000302)
#define ROT12(v) _mm256_or_si256(_mm256_slli_epi32(v, 12), _mm256_srli_epi32(v, 20))
#define ROT8(v) BYTES(v, 0x0e0d0c0f0a09080b, 0x0605040702010003)
#define ROT7(v) _mm256_or_si256(_mm256_slli_epi32(v, 7), _mm256_srli_epi32(v, 25))
#define TURN(v, to) _mm256_shuffle_epi32(v, to)
COLD void fill(Stream *s, const u32 *k) {
    const Wide a0 = ROW(SIGMA), b0 = ROW(k), c0 = ROW(k + 4);
    for (int half = 0; half < 2; half++) {
        Wide a = a0, b = b0, c = c0, d = ADD(ROW(&s->counter), _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0));
        const Wide d0 = d;
        ROUNDS(a, b, c, d)
        const Wide rows[4] = {ADD(a, a0), ADD(b, b0), ADD(c, c0), ADD(d, d0)};
        for (int row = 0; row < 4; row++) {
            STORE(s->words + 32 * half + 4 * row, _mm256_castsi256_si128(rows[row]));
            STORE(s->words + 32 * half + 4 * row + 16, _mm256_extracti128_si256(rows[row], 1));
        }
        s->counter += 2;
    }
    s->word = 0;
}
#else
#define FORM "vectors of the compiler"
COLD void fill(Stream *s, const u32 *k) {
    for (int i = 0; i < 4; i++) block(s, k, s->counter++, s->words + 16 * i);
    s->word = 0;
}
#endif
FAST void open_stream(const Table *t, Stream *s, u32 purpose, u32 index) {
    s->purpose = purpose, s->number = t->number, s->index = index, s->counter = 0, s->word = 64;
}
FAST u32 roll(u32 *d) {                               /* sfc32 */
    u32 word = d[0] + d[1] + d[3]++;
    d[0] = d[1] ^ d[1] >> 9, d[1] = d[2] + (d[2] << 3), d[2] = ROTL(d[2], 21) + word;
    return word;
}
/* An integer below n of words got by `next`, by Lemire's method. */
#define BELOW(n, next) \
    u64 m = (u64)(next) * (n); \
    if (RARE((u32)m < (n))) \
        for (u32 least = -(n) % (n); (u32)m < least;) m = (u64)(next) * (n); \
    return m >> 32

FAST int choose(Table *t, u32 n) { BELOW(n, roll(t->dice)); }       /* a policy's choice */
FAST int next_below(Table *t, Stream *s, u32 n, int cheap) {
    if (cheap) return choose(t, n);
    BELOW(n, (RARE(s->word == 64) ? fill(s, t->key) : (void)0, s->words[s->word++]));
}
COLD int single_below(Table *t, u32 purpose, u32 index, u32 n, int cheap) {   /* one block is enough, nearly always */
    Stream s;
    open_stream(t, &s, purpose, index);
    if (cheap) return choose(t, n);
    block(&s, t->key, 0, s.words + 48), s.word = 48, s.counter = 1;
    return next_below(t, &s, n, cheap);
}

/* --- cards and piles --- */
FAST int nth_bit(u64 mask, int n) {
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64(1ULL << n, mask));
#endif
    while (n-- > 0) mask &= mask - 1;
    return __builtin_ctzll(mask);
}

FAST void add_card(Hand *h, int card, int game) {
    h->counts[card]++, h->held++;
    if (game == ALL_WILD || card >= WILD) h->wilds |= 1u << (card - WILD);
    else h->colored |= 1ULL << card;
}
FAST void take_card(Hand *h, int card, int game) {
    u64 gone = --h->counts[card] == 0;
    h->held--;
    if (game == ALL_WILD || card >= WILD) h->wilds ^= (u32)gone << (card - WILD);
    else h->colored ^= gone << card;
}
FAST int next_to(const Table *t, int seat) {
    seat += t->direction;
    return seat < 0 ? seat + t->players : seat >= t->players ? seat - t->players : seat;
}

FAST void set_top(Table *t, int card, int color) {    /* CL-15, CL-16 */
    t->top = card, t->color = color;
    t->matching = 0x3fffULL << 16 * color | (card < WILD ? 0x0001000100010001ULL << (card & 15) : 0);
}
FAST int holds_color(const Hand *h, int color) { return (h->colored >> 16 * color & 0x3fff) != 0; }
FAST void lay(Table *t, Hand *h, int card, int game) {
    take_card(h, card, game), t->discard[t->discard_n++] = card, t->passes = 0;
}

/* The shuffle, drawn card by card: any card left is as likely. */
FAST int take_any(Table *t, int cheap) {
    int i = next_below(t, &t->cards, t->pile_n, cheap), card = t->pile[i];
    t->pile[i] = t->pile[--t->pile_n];
    return card;
}
COLD void recycle(Table *t) {                         /* CO-30 */
    int n = t->discard_n - 1;
    memcpy(t->pile, t->discard, n);
    t->discard[0] = t->discard[n], t->discard_n = 1, t->pile_n = n;
    if (n > 0) open_stream(t, &t->cards, RESHUFFLE, t->reshuffles++);
}
FAST int take_top(Table *t, int cheap) {              /* -1 where no card exists */
    if (RARE(t->pile_n == 0)) recycle(t);
    return RARE(t->pile_n == 0) ? -1 : take_any(t, cheap);
}
FAST void draw(Table *t, int seat, int count, int game, int cheap) {
    Hand *h = &t->hand[seat];
    for (int card; count-- > 0 && (card = take_top(t, cheap)) >= 0; t->passes = 0) {
        add_card(h, card, game);
        if (game != WILD_JACKPOT) continue;
        if (!h->has_barred) memset(h->barred, 0, CARDS), h->has_barred = 1;
        h->barred[card]++;
    }
}

/* --- lever and rule cards (Wild Jackpot) --- */
FAST int ask(Table *t, int n) { return t->plies++, choose(t, n); }  /* a decision of somebody is a ply */

FAST void limit_barred(Hand *h, int card) {           /* a card has gone that was not played (LC-9) */
    if (h->has_barred && h->barred[card] > h->counts[card]) h->barred[card] = h->counts[card];
}
/* The colored cards, or the wilds, of which a hand has some that are not barred. */
FAST u64 playable(const Hand *h, u64 cards, int from) {
    for (u64 left = h->has_barred ? cards : 0; left; left &= left - 1) {
        int card = from + nth_bit(left, 0);
        if (h->barred[card] >= h->counts[card]) cards &= ~(left & -left);
    }
    return cards;
}

COLD void bury_until_two(Table *t, Hand *h) {         /* R1; one kind of card leaves no choice (LC-52) */
    while (h->held > 2) {
        int a = BITS(h->colored), n = a + BITS(h->wilds), k = n > 1 ? ask(t, n) : 0;
        int card = k < a ? nth_bit(h->colored, k) : WILD + nth_bit(h->wilds, k - a), top = t->discard[t->discard_n - 1];
        lay(t, h, card, WILD_JACKPOT), limit_barred(h, card);
        t->discard[t->discard_n - 2] = card, t->discard[t->discard_n - 1] = top;
    }
}

COLD void play_row(Table *t, Hand *h) {               /* R2 */
    while (h->held > 0) {
        u64 colored = playable(h, h->colored & t->matching, 0);
        u64 wilds = playable(h, holds_color(h, t->color) ? h->wilds & ~(1u << DRAW_FOUR) : h->wilds, WILD);
        int a = BITS(colored), colors = h->held == 1 ? 1 : 4, n = a + colors * BITS(wilds), k;
        if (n == 0) return;
        int wild = (k = ask(t, n)) >= a, card = wild ? WILD + nth_bit(wilds, (k - a) / colors) : nth_bit(colored, k);
        lay(t, h, card, WILD_JACKPOT), set_top(t, card, wild ? (k - a) % colors : card >> 4);
    }
}

COLD void lay_wilds(Table *t, Hand *h) {              /* R4 */
    int laid = 0;
    for (u64 wilds = playable(h, h->wilds, WILD); wilds; wilds &= wilds - 1) {
        int card = laid = WILD + nth_bit(wilds, 0), barred = h->has_barred ? h->barred[card] : 0;
        while (h->counts[card] > barred) lay(t, h, card, WILD_JACKPOT);
    }
    if (laid && h->held) set_top(t, laid, ask(t, 4));
}

COLD void take_two(Table *t, int seat, int cheap) {   /* R5 */
    int most = -1, mask = 0;
    for (int s = 0; s < t->players; s++)
        if (s != seat && t->hand[s].held >= most)
            mask = t->hand[s].held > most ? 1 << s : mask | 1 << s, most = t->hand[s].held;
    int giver = nth_bit(mask, BITS(mask) > 1 ? ask(t, BITS(mask)) : 0);
    Hand *h = &t->hand[giver];
    for (int i = 0; i < 2 && h->held; i++) {
        int k = single_below(t, BLIND, t->blinds++, h->held, cheap), card = 0;
        while (k >= h->counts[card]) k -= h->counts[card++];
        take_card(h, card, WILD_JACKPOT), limit_barred(h, card);
        add_card(&t->hand[seat], card, WILD_JACKPOT), t->passes = 0;
    }
    if (h->held == 0) t->winner = giver;
}

COLD void perform(Table *t, int seat, int cheap) {    /* WJ-46, WJ-47, WJ-50 */
    if (t->stack_n == 0) memcpy(t->stack, t->used, 8), t->stack_n = t->used_n, t->used_n = 0;
    int i = single_below(t, RULES, t->dispensed++, t->stack_n, cheap), rule = t->stack[i];
    t->stack[i] = t->stack[--t->stack_n], t->used[t->used_n++] = rule;
    Hand *h = &t->hand[seat];
    if (rule == 0) bury_until_two(t, h);
    else if (rule == 1) play_row(t, h);
    else if (rule == 2) draw(t, seat, 7 - h->held, WILD_JACKPOT, cheap);
    else if (rule == 3) lay_wilds(t, h);
    else if (rule == 4) take_two(t, seat, cheap);
    else t->plies++;                                  /* R6 to R8, confirmed with "done" */
    if (h->held == 0) t->winner = seat;
}

COLD void throw_off(Table *t, int seat, int cheap) {  /* WJ-40e, WJ-41 to WJ-45 */
    Hand *h = &t->hand[seat];
    for (u64 left = ~0ULL, cards; (cards = h->colored & left);) {
        int n = BITS(cards), k = ask(t, n + 1), victim = next_to(t, seat);
        if (k == n) return;
        int card = nth_bit(cards, k), face = card & 15;
        lay(t, h, card, WILD_JACKPOT), limit_barred(h, card), set_top(t, card, card >> 4);
        left &= ~(0xffffULL << (card & 48));
        if (face == DRAW_TWO) draw(t, victim, 2, WILD_JACKPOT, cheap);
        if (face == REVERSE && h->held) t->direction = -t->direction;
        if (face == DRAW_TWO || face == SKIP || (face == REVERSE && t->players == 2)) t->marks |= 1 << victim;
        if (h->held == 0) t->winner = seat;
    }
}

COLD int pull(Table *t, int seat, int cheap) {        /* WJ-24, WJ-40; returns the seat next on turn */
    int n = t->players, left = seat + 1 < n ? seat + 1 : 0, right = seat > 0 ? seat - 1 : n - 1;
    int outcome = single_below(t, LEVER, t->pulled++, 6, cheap);
    t->plies++;
    if (outcome == 0) perform(t, ask(t, n), cheap);
    else if (outcome == 1) perform(t, right, cheap);
    else if (outcome == 2) perform(t, left, cheap);
    else if (outcome == 3)
        for (int i = 0, s = seat; i < n && t->winner == GOING; i++, s = next_to(t, s)) perform(t, s, cheap);
    else if (outcome == 4) throw_off(t, seat, cheap);
    else draw(t, seat, 4, WILD_JACKPOT, cheap);
    do seat = next_to(t, seat); while (t->marks >> seat & 1);
    t->marks = 0;
    return seat;
}

/* --- a round --- */
FAST int deal(Table *t, int dealer, int game, int cheap) {  /* returns the seat that begins */
    memset(t->hand, 0, sizeof(Hand) * t->players), memcpy(t->pile, t->deck, sizeof t->pile);
    t->pile_n = t->deck_n, t->discard_n = t->passes = t->marks = 0, t->direction = 1, t->winner = GOING;
    t->reshuffles = t->pulled = t->dispensed = t->blinds = 0;
    memcpy(t->stack, (u8[]){0, 1, 2, 3, 4, 5, 6, 7}, 8), t->stack_n = 8, t->used_n = 0;
    open_stream(t, &t->cards, DEAL, 0);
    for (int i = 7 * t->players, seat = dealer; i > 0; i--)
        add_card(&t->hand[seat = next_to(t, seat)], take_any(t, cheap), game);
    int first = next_to(t, dealer), card = take_any(t, cheap);
    while (game != ALL_WILD && card == WILD + DRAW_FOUR)     /* CL-11 */
        t->pile[t->pile_n++] = card, card = take_any(t, cheap);
    t->discard[t->discard_n++] = card;
    if (game == ALL_WILD) return first;
    set_top(t, card, card < WILD ? card >> 4 : ask(t, 4));  /* CL-10 */
    int face = card & 15;
    if (face < SKIP) return first;
    if (face == REVERSE) return t->direction = -1, dealer;  /* CL-8 */
    if (face == JACKPOT) return perform(t, ask(t, t->players), cheap), first;  /* WJ-8, WJ-9 */
    if (face == DRAW_TWO) draw(t, first, 2, game, cheap);   /* CL-9 */
    return next_to(t, first);                               /* CL-7 */
}

FAST int hit(Table *t, int victim, int n, int game, int cheap) {
    return draw(t, victim, n, game, cheap), next_to(t, victim);
}
COLD void swap_hands(Hand *a, Hand *b) { Hand kept = *a; *a = *b, *b = kept; }
FAST void finish(Table *t, int seat, int card, int target, int game, int cheap) {  /* CO-42, AW-42, AW-45 */
    int face = card & 15;
    t->winner = seat;
    if (face == DRAW_TWO) draw(t, next_to(t, seat), 2, game, cheap);
    else if (card == WILD + DRAW_FOUR) draw(t, next_to(t, seat), 4, game, cheap);
    else if (card == WILD + TARGETED) draw(t, target, 2, game, cheap);
    else if (card == WILD + SWAP) swap_hands(&t->hand[seat], &t->hand[target]), t->winner = target;
}

/* Lay a card with all it does; returns the seat next on turn. */
FAST int play(Table *t, int seat, int card, int game, int cheap) {
    Hand *h = &t->hand[seat];
    int face = card & 15, color = card >> 4, target = 0, bluff = 0, challenged = 0;
    if (game == ALL_WILD && (face == TARGETED || face == SWAP))
        target = choose(t, t->players - 1), target += target >= seat;
    if (game != ALL_WILD && card >= WILD) color = h->held > 1 ? choose(t, 4) : 0;
    lay(t, h, card, game), t->plies++;
    if (h->held == 0) return finish(t, seat, card, target, game, cheap), seat;
    if (game != ALL_WILD) {
        bluff = holds_color(h, t->color);             /* CL-34, for a Wild Draw Four */
        set_top(t, card, color);
        if (card < WILD && face < SKIP) return next_to(t, seat);
    }
    switch (face) {
    case SKIP: return next_to(t, next_to(t, seat));
    case REVERSE: return t->direction = -t->direction, t->players == 2 ? seat : next_to(t, seat);
    case DRAW_TWO: return hit(t, next_to(t, seat), 2, game, cheap);
    case DRAW_FOUR:                                   /* AW-20, CL-32 to CL-36 */
        if (game != ALL_WILD) challenged = ask(t, 2) == 0, t->hand[next_to(t, seat)].has_barred = 0;
        if (challenged && bluff) return draw(t, seat, 4, game, cheap), next_to(t, seat);
        return hit(t, next_to(t, seat), challenged ? 6 : 4, game, cheap);
    case JACKPOT: return game == WILD_JACKPOT ? pull(t, seat, cheap) : seat;
    case SKIP_TWO: return next_to(t, next_to(t, next_to(t, seat)));
    case TARGETED: return draw(t, target, 2, game, cheap), next_to(t, seat);
    case SWAP: swap_hands(h, &t->hand[target]);
    }
    return next_to(t, seat);
}

FAST void check(const Table *t) {                     /* CO-36; masks, counts and sizes agree */
#ifdef CHECK
    int wrong = 0, left[CARDS] = {0};
    for (int i = 0; i < t->deck_n; i++) left[t->deck[i]]++;
    for (int i = 0; i < t->pile_n; i++) left[t->pile[i]]--;
    for (int i = 0; i < t->discard_n; i++) left[t->discard[i]]--;
    for (const Hand *h = t->hand; h < t->hand + t->players; h++) {
        int held = h->held;
        for (int c = 0; c < CARDS; held -= h->counts[c], left[c] -= h->counts[c], c++)
            wrong |= (c < WILD ? h->colored >> c & 1 : h->wilds >> (c - WILD) & 1) != (h->counts[c] > 0);
        wrong |= held;
    }
    for (int c = 0; c < CARDS; c++) wrong |= left[c];
    if (wrong) fprintf(stderr, "cards do not add up in round %u\n", t->number), abort();
#endif
    (void)t;
}

FAST void play_round(Table *t, int dealer, int game, int cheap) {
    for (int seat = deal(t, dealer, game, cheap), card; t->winner == GOING;) {
        check(t);
        Hand *h = &t->hand[seat];
        if (game == WILD_JACKPOT) h->has_barred = 0;
        u64 colored = game == ALL_WILD ? 0 : h->colored & t->matching;
        int a = BITS(colored), n = a + BITS(h->wilds);
        if (n > 0) {
            int k = n > 1 || h->held == 1 ? choose(t, n) : 0;
            card = k < a ? nth_bit(colored, k) : WILD + nth_bit(h->wilds, k - a);
        } else {
            t->plies++, card = take_top(t, cheap);
            if (card >= 0) add_card(h, card, game), t->passes = 0;
            else if (++t->passes >= t->players) t->winner = NOBODY;  /* CO-34, CO-35 */
        }
        int fits = n > 0 || card >= WILD || (card >= 0 && t->matching >> card & 1);
        seat = fits ? play(t, seat, card, game, cheap) : next_to(t, seat);
    }
    check(t);
}

FAST void play_rounds(Table *t, u32 rounds, Tally *tally, int game, int cheap) {
    for (u32 r = 0; r < rounds; r++) {
        u64 before = t->plies;
        int dealer = r % t->players;
        t->number = r, play_round(t, dealer, game, cheap);
        if (t->plies - before > tally->longest) tally->longest = t->plies - before;
        if (t->winner == NOBODY) tally->void_rounds++;
        else tally->wins[t->winner]++, tally->places[(t->winner + 2 * t->players - dealer - 1) % t->players]++;
    }
}

/* --- the program --- */
static void make_deck(Table *t, int game) {           /* AW-1, CL-1, WJ-1, WJ-2; by color and face */
    static const u8 colored[3][16] = {
        {0}, {1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, {1, 2, 2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 4}};
    static const u8 wilds[3][16] = {
        {54, 6, 6, 4, 4, [SKIP] = 14, [REVERSE] = 14, [DRAW_TWO] = 10}, {4, 4}, {2, 4, [JACKPOT] = 2}};
    for (int card = 0; card < CARDS; card++)
        for (int i = (card < WILD ? colored : wilds)[game][card & 15]; i > 0; i--) t->deck[t->deck_n++] = card;
}

static double now(void) {
    struct timespec s;
    return clock_gettime(CLOCK_MONOTONIC, &s), s.tv_sec + s.tv_nsec * 1e-9;
}
static int find(const char *name, const char *const *names, int n) {
    while (n-- > 0 && strcmp(name, names[n])) continue;
    return n;
}
#define PLAY(game) (cheap ? play_rounds(&t, rounds, &tally, game, 1) : play_rounds(&t, rounds, &tally, game, 0))

int main(int argc, char **argv) {
    static const char *const games[] = {"all-wild", "classic", "wild-jackpot"};
    static const char *const generators[] = {"chacha", "cheap"};
    static Table t __attribute__((aligned(64)));
    static Tally tally;
    int game = argc == 6 ? find(argv[1], games, 3) : -1, cheap = argc == 6 ? find(argv[4], generators, 2) : -1;
    u32 rounds = argc == 6 ? strtoul(argv[3], 0, 10) : 0;
    u64 seed = argc == 6 ? strtoull(argv[5], 0, 10) : 0;
    t.players = argc == 6 ? atoi(argv[2]) : 0;
    if (game < 0 || cheap < 0 || rounds < 1 || t.players < 2 || t.players > SEATS)
        return fputs("usage: yardstick all-wild|classic|wild-jackpot SEATS ROUNDS chacha|cheap SEED\n", stderr), 2;
    t.key[0] = t.dice[0] = seed, t.key[1] = t.dice[1] = seed >> 32, t.dice[2] = 0x9e3779b9, t.dice[3] = 1;
    for (int i = 0; i < 12; i++) roll(t.dice);
    make_deck(&t, game);
    double start = now();
    game == ALL_WILD ? PLAY(ALL_WILD) : game == CLASSIC ? PLAY(CLASSIC) : PLAY(WILD_JACKPOT);
    double seconds = now() - start;
    printf("{\"game\": \"%s\", \"seats\": %d, \"rounds\": %u, \"generator\": \"%s\", \"seed\": %llu, \"plies\": %llu, "
           "\"seconds\": %.6f, \"plies_per_second\": %.0f, \"rounds_per_second\": %.0f, \"plies_per_round\": %.4f, "
           "\"longest_round\": %llu, \"void_rounds\": %llu, \"chacha\": \"%s\"",
           games[game], t.players, rounds, generators[cheap], seed, t.plies, seconds, t.plies / seconds,
           rounds / seconds, (double)t.plies / rounds, tally.longest, tally.void_rounds, FORM);
    for (int s = 0; s < t.players; s++) printf("%s%llu", s ? ", " : ", \"wins\": [", tally.wins[s]);
    for (int s = 0; s < t.players; s++)
        printf("%s%.4f", s ? ", " : "], \"winner_share\": [", (double)tally.places[s] / rounds);
    return puts("]}"), 0;
}
