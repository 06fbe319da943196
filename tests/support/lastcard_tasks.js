/** Runs tasks of tests/support/node.py in Node.js: reads a task as JSON from each line and writes its answer as a line. */

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [web, module] = process.argv.slice(2).map((path) => pathToFileURL(path));
const lastcard = await import(new URL("bindings/lastcard.js", web));
const constants = await import(new URL("bindings/constants.js", web));
const kernel = await lastcard.load(module);
const { Match, Rules } = lastcard;
const library = new lastcard.Library(kernel, new URL("../bots/", module));

const caught = (work) => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof lastcard.LastcardError)) throw error;
    return { code: error.code, clause: error.clause ?? null, variant: error.variant ?? "" };
  }
};

/** The result of work that has pauses. */
const finish = (work) => {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
};

const digest = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");

/** The match as every seat and a spectator may see it. */
const views = (match) =>
  [null, ...match.players.keys()].map((seat) => ({
    view: match.view(seat),
    known: digest(match.round.informationState(seat).bytes),
    past: digest(match.round.history(seat)),
  }));

const tasks = {
  cases: ({ text }) =>
    caught(() =>
      lastcard.readCases(text).map((table) => ({ id: table.id, wrong: caught(() => lastcard.runCase(table)) })),
    ),

  /** Plays moves of a match; records all views before the moves that are marked. */
  match: ({ setup: { rules, ...setup }, acts }) => {
    const match = new Match(rules, setup);
    const steps = acts.map(({ seat, move, look }) => {
      const seen = look ? views(match) : null;
      if (move === "next") {
        match.nextRound();
        return { seen, dealer: match.dealer, events: match.round.events() };
      }
      const events = caught(() => match.do(seat, move));
      const redacted = Array.isArray(events)
        ? [null, ...match.players.keys()].map((other) => events.map((event) => match.seenBy(event, other)))
        : null;
      return { seen, events, redacted, scores: match.scores, winners: match.winners };
    });
    return {
      commitment: match.commitment,
      dealer: match.dealer,
      steps,
      seen: views(match),
      record: setup.position ? null : match.record(),
    };
  },

  rules: ({ names }) =>
    names.map((name) =>
      caught(() => ((rules) => [String(rules), rules.storedName])(Rules.parse(kernel.description, name))),
    ),

  moves: ({ texts }) => {
    const { notation } = new Match("classic", { seed: 0 }).round;
    return texts.map((text) =>
      caught(() => (({ seat, move }) => [seat, notation.text(move), notation.action(move)])(notation.seatMove(text))),
    );
  },

  /** The hand that a seat sees in a position. */
  position: ({ text }) => caught(() => new Match("classic", { players: 2, seed: 0, position: text }).view(0).hand),

  seeds: ({ seeds }) => seeds.map((seed) => new Match("classic", { seed }).seed),

  /** Streaks of days played, and the secrets of deals without a server. */
  daily: async ({ streaks, secrets }) => {
    const { dailySecret } = await import(new URL("bindings/seeds.js", web));
    const { countStreak } = await import(new URL("offline/streak.js", web));
    return {
      streaks: streaks.map(([today, days]) => countStreak(days, today)),
      secrets: secrets.map(([day, game]) => dailySecret(day, game)),
    };
  },

  /** A master's run on the deal of a record, and the luck of the person in it. */
  master: async ({ text }) => {
    const { measureLuck, runMaster } = await import(new URL("localtable/masterrun.js", web));
    return { run: finish((await runMaster(text, library))()), luck: finish((await measureLuck(text, library))()) };
  },

  /** The figures of rules, if nothing ends the measurement. */
  figures: async ({ rules, seats }) => {
    const { measureRules } = await import(new URL("localtable/rulefigures.js", web));
    Object.assign(constants.FIGURES, { budgetMs: Infinity });
    return measureRules(rules, seats, library);
  },

  rule_cards: async ({ texts }) => {
    const { parseRuleCard } = await import(new URL("bindings/rulecards.js", web));
    return texts.map((text) => caught(() => parseRuleCard(kernel.description, text).text));
  },

  record: ({ text }) => caught(() => lastcard.recordText(kernel, lastcard.parseRecord(kernel, text))),

  /** Lets bots play a round. */
  bots: async ({ setup: { rules, ...setup }, bots }) => {
    const match = new Match(rules, setup);
    const made = await Promise.all(
      bots.map(({ level, effort }, seat) => lastcard.makeBot(match, seat, library, level, effort)),
    );
    while (!match.round.over) {
      const { seat, move } = lastcard.reaction(match, made) ?? {
        seat: match.turn,
        move: made[match.turn].choose(match.round.observe(match.turn)),
      };
      match.do(seat, move);
    }
    return match.moves;
  },

  /** Error codes of names that no bot has. */
  nobody: ({ names }) => {
    const match = new Match("classic", { seed: 1 });
    const refusal = (name) => lastcard.makeBot(match, 0, library, name).then(() => null, (error) => error.code);
    return Promise.all(names.map(refusal));
  },

  /** The size of the module's memory after each of `rounds` rounds that every seat observes. */
  memory: ({ rounds }) => {
    const sizes = [];
    for (let seed = 0; seed < rounds; seed++) {
      const match = new Match("wild-jackpot+reshuffle=eager", { players: 4, seed });
      for (let i = 0; !match.round.over; i++) {
        const moves = match.legal().filter((move) => move !== "uno" && !move.startsWith("catch"));
        match.do(match.turn, moves[i % moves.length]);
        if (i % 10 === 0) match.round.observe(match.turn);
      }
      sizes.push(kernel.memory.buffer.byteLength);
    }
    return sizes;
  },

  /** Errors of loading with another module's description, and of invalid calls. */
  mistakes: async () => {
    const load = (described) => lastcard.load(module, { ...kernel.description, ...described });
    const refused = await Promise.all(
      [{ key: "other" }, { format: 2 }].map((described) => load(described).catch((error) => error.code)),
    );
    try {
      new Match("classic", { seed: 1, position: { rules: "classic", hands: ["Wx R1", "R2"], discard: "R9" } });
    } catch (error) {
      refused.push(error.code);
    }
    const match = new Match("classic", { seed: 1 });
    const before = match.round.stateBytes();
    const nowhere = { at: 2 ** 31, type: "ROUND_STATE", shape: [1], bytes: 0 };
    const faults = [
      ["exports.count_points", nowhere, 0, kernel.buffer("x", "int64", 10)],
      ["exports.round_winners", 1, 0],
      ["no.export"],
    ].map((call) => {
      try {
        return kernel.call(...call);
      } catch (error) {
        return error.constructor.name;
      }
    });
    const same = match.round.stateBytes().every((byte, i) => byte === before[i]);
    return { refused, faults, same, goes_on: match.do(match.turn, match.legal()[0]).length > 0 };
  },

  hashes: async ({ messages }) => {
    const { sha256 } = await import(new URL("bindings/sha256.js", web));
    return messages.map((hex) => sha256(Buffer.from(hex, "hex")));
  },

  verify: ({ text }) =>
    caught(() => ((match) => [match.number, match.scores, match.moves.length])(Match.fromRecord(text))),
};

/** A clock that a test advances, like the event loop of tests/support/fakes.py. */
class Time {
  #timers = new Set();

  constructor(now) {
    this.clock = now;
  }

  now() {
    return this.clock;
  }

  set(wake, seconds) {
    const timer = { wake, at: this.clock + seconds };
    this.#timers.add(timer);
    return timer;
  }

  clear(timer) {
    this.#timers.delete(timer);
  }

  /** Advances the time; awaits `waitUntilIdle` before each timer. */
  async pass(until, waitUntilIdle) {
    for (;;) {
      await waitUntilIdle();
      const [next] = [...this.#timers].sort((one, other) => one.at - other.at);
      if (!next || next.at > until) break;
      this.#timers.delete(next);
      this.clock = Math.max(this.clock, next.at);
      next.wake();
    }
    this.clock = until;
  }
}

/** Sets the texts of a language for localtable/wording.js. */
async function speak(language, texts) {
  globalThis.document ??= { documentElement: {} };
  globalThis.fetch = async () => ({ ok: true, json: async () => texts });
  const { useLanguage } = await import(new URL("ui/texts.js", web));
  const wording = await import(new URL("localtable/wording.js", web));
  await useLanguage(language);
  return wording.localize;
}

/** The hint that a page computes from a seat's observation sent by a server. */
tasks.hint = async ({ seen, hint, language, texts }) => {
  const localize = await speak(language, texts);
  const { findHints } = await import(new URL("localtable/hints.js", web));
  const { decodeObservation } = await import(new URL("localtable/observation.js", web));
  const { Thinker } = await import(new URL("localtable/thinking.js", web));
  const { Workspace } = await import(new URL("bindings/workspace.js", web));
  Object.assign(constants.HINT, hint);
  const thinker = new Thinker();
  const think = (work) => thinker.think(work);
  const moves = await findHints(decodeObservation(kernel, seen), seen.seat, library, think, new Workspace(kernel, "search"));
  return localize({ type: "advice", id: "", ply: 0, moves }).moves;
};

/** The bytes of a network file that exports receive. */
tasks.network = async ({ file }) => {
  const given = Uint8Array.from(Buffer.from(file, "base64"));
  const files = (name) => (name === "heuristic.json" ? library.fetch(name) : Promise.resolve(given));
  try {
    const [, value] = await new lastcard.Library(kernel, files).weights({ weights: ["value"] }, "classic", 4);
    return digest(kernel.bytes.subarray(value.at, value.at + value.bytes));
  } catch (error) {
    if (!(error instanceof lastcard.LastcardError)) throw error;
    return error.code;
  }
};

/** The messages of a table on a device to each viewer, for the same steps as at a table of the server. */
tasks.table = async ({ language, texts, start, setup, hint, steps }) => {
  const localize = await speak(language, texts);
  const { Table } = await import(new URL("localtable/table.js", web));
  const { replayOf } = await import(new URL("localtable/replays.js", web));
  Object.assign(constants.HINT, hint);
  let [secrets, ids, fetching] = [0, 0, 0];
  const files = async (name) => {
    fetching++;
    try {
      return await library.fetch(name);
    } finally {
      fetching--;
    }
  };
  const time = new Time(start);
  const own = new lastcard.Library(kernel, files);
  const [messages, finished] = [[], []];
  let saved = null;
  const effects = {
    time,
    send: (message) => messages.push({ at: time.clock, ...JSON.parse(JSON.stringify(localize(message))) }),
    save: (state) => (saved = JSON.stringify(state)),
    finished: ({ id, record, ...match }) =>
      finished.push({ id, record, ...match, replay: record && replayOf(record, { id, started: 0, bots: match.bots }) }),
    secret: () => (++secrets).toString(16).padStart(64, "0"),
    id: () => `match-${++ids}`,
  };
  let table = new Table(kernel, own, setup, effects);
  const waitUntilIdle = async () => {
    for (let idle = null; fetching > 0 || idle !== table.idle;) {
      idle = table.idle;
      await idle;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const acts = {
    say: ({ message }) => table.handle(message),
    setViewer: ({ player }) => table.setViewer(player),
    hello: () => table.handle({ type: "hello", v: constants.PROTOCOL_VERSION }),
    hangUp: () => table.hangUp(),
    add: ({ person }) => table.addPerson(person),
    remove: ({ player }) => table.removePerson(player),
    /** Closes the page and opens it again. */
    again: () => {
      table.close();
      table = new Table(kernel, own, JSON.parse(saved), effects);
    },
  };
  for (const { at, act, ...what } of steps) {
    await time.pass(at, waitUntilIdle);
    messages.push({ at: time.clock, type: "step" });
    acts[act](what);
    await waitUntilIdle();
  }
  table.close();
  return { messages, finished };
};

/** A match against bots that always exceed their time; returns how many matches were reported as over. */
tasks.late = async ({ setup, language, texts }) => {
  await speak(language, texts);
  const { Table } = await import(new URL("localtable/table.js", web));
  const time = new Time(0);
  const finished = [];
  let game = null;
  const send = (message) => {
    if (message.game) game = message.game;
    else if (message.type === "moved") game = { ...game, public: message.public, mine: message.mine };
  };
  const table = new Table(kernel, library, setup, { time, send, save: () => {}, finished: ({ id }) => finished.push(id) });
  table.handle({ type: "hello", v: constants.PROTOCOL_VERSION });
  table.handle({ type: "start", level: "master" });
  for (let turn = 0; !game.public.winners; turn++) {
    const [move] = game.mine?.legal.filter((each) => each !== "uno") ?? [];
    if (move) table.handle({ type: "act", id: `${turn}`, match: game.match, move });
    await time.pass(time.clock + 60, () => {}); // the timers of bots fire before any bot has decided
    await table.idle;
    await new Promise((resolve) => setImmediate(resolve));
    await time.pass(time.clock, () => {});
  }
  table.close();
  return finished.length;
};

/** The career and the leaderboard of the matches on a device. */
tasks.careers = async ({ matches }) => {
  const { career, leaderboard } = await import(new URL("offline/careers.js", web));
  return { career: career(matches), honors: leaderboard(matches) };
};

/** The highlights of a match, with smaller search settings for speed. */
tasks.moments = async ({ record, seats, set }) => {
  const { findHighlights } = await import(new URL("localtable/highlights.js", web));
  Object.assign(constants.MOMENTS, set.moments);
  Object.assign(constants.JUDGE, set.judge);
  return done(await findHighlights(record, seats, library));
};

/** The match of a record, as the server gives it to a page. */
tasks.replay = async ({ record }) => (await import(new URL("localtable/replays.js", web))).replayOf(record, { id: "m1", started: 0 });

/** Luck and skill in a match, in words, or only what is shown first. */
tasks.report = async ({ record, set, language, texts, first = false }) => {
  await speak(language, texts);
  const { localizeReport } = await import(new URL("localtable/wording.js", web));
  const { makeReport } = await import(new URL("localtable/report.js", web));
  Object.assign(constants.REPORT, set.report);
  Object.assign(constants.JUDGE, set.judge);
  const shown = [];
  const report = done(await makeReport(record, library, (share, chances) => chances && shown.push(chances)));
  return localizeReport(first ? shown[0] : report);
};

/** Runs a generator to its end and returns its result. */
function done(work) {
  const doing = work();
  for (let step = doing.next(); ; step = doing.next()) if (step.done) return step.value;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { task, ...what } = JSON.parse(line);
  process.stdout.write(JSON.stringify(await tasks[task](what)) + "\n");
}
