/**
 * The module in V8, for page_bots.py and reports.py: what decisions and reports cost, and what a table of the page keeps.
 * Every line is a task as JSON, its answer is a line.
 */

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [web, module] = process.argv.slice(2).map((path) => pathToFileURL(path));
const lastcard = await import(new URL("bindings/lastcard.js", web));
const kernel = await lastcard.load(module);
const library = new lastcard.Library(kernel, new URL("../bots/", module));
const { Table } = await import(new URL("localtable/table.js", web));

const tasks = {
  /** Plays a match between bots of a level to its end; gives the moves and the CPU seconds of all decisions. */
  decide: async ({ rules, players, seed, level }) => {
    const match = new lastcard.Match(rules, { players, seed });
    const bots = await Promise.all(match.players.map((_, seat) => lastcard.makeBot(match, seat, library, level)));
    const began = process.cpuUsage();
    let decisions = 0;
    while (!match.round.over) {
      const { turn } = match;
      match.do(turn, bots[turn].choose(match.round.observe(turn)));
      decisions++;
    }
    const { user, system } = process.cpuUsage(began);
    return { moves: match.moves, decisions, seconds: (user + system) / 1e6 };
  },

  /** Makes the report of a match; gives its CPU seconds. */
  report: async ({ record }) => {
    const { makeReport } = await import(new URL("localtable/report.js", web));
    const work = (await makeReport(record, library))();
    const began = process.cpuUsage();
    while (!work.next().done);
    const { user, system } = process.cpuUsage(began);
    return { seconds: (user + system) / 1e6 };
  },

  /** Lets somebody play with bots for so many rounds; gives the bytes in use after every ten. */
  remember: async ({ rules, rounds, bots }) => {
    let [now, wake] = [0, null];
    const time = {
      now: () => now,
      set: (work, seconds) => (wake = { work, at: now + seconds }),
      clear: () => (wake = null),
    };
    let last = null;
    const effects = {
      time,
      send: ({ game, mine, public: open }) => {
        if (game ?? open) last = { mine: game ? game.mine : mine, public: game ? game.public : open };
      },
      save: () => {},
      finished: () => {},
    };
    const settings = { rules, seats: bots.length + 1, bots: "quick" };
    const table = new Table(kernel, library, { settings, people: [{ id: "p", name: "P" }] }, effects);
    table.handle({ type: "hello", v: 1 });
    for (const [i, level] of bots.entries()) table.handle({ type: "setbot", seat: i + 1, level });
    table.handle({ type: "start", level: bots[0] });
    const used = [];
    let [command, ended] = [0, 0];
    while (ended < rounds) {
      await table.idle;
      await new Promise((resolve) => setImmediate(resolve));
      const { phase } = table.data;
      if (phase !== "playing") {
        ended++;
        table.handle({ type: "ready" });
        if (ended % 10 > 0) continue;
        globalThis.gc();
        used.push({ rounds: ended, module: kernel.memory.buffer.byteLength, heap: process.memoryUsage().heapUsed });
      } else if (last.mine.legal.length > 0 && last.public.turn === 0) {
        const moves = last.mine.legal.filter((move) => move !== "uno" && !move.startsWith("catch"));
        const id = `command-${command++}`;
        table.handle({ type: "act", id, match: table.data.match, move: moves[command % moves.length] });
      } else if (wake) {
        now = Math.max(now, wake.at);
        const { work } = wake;
        wake = null;
        work();
      }
    }
    table.close();
    return used;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { task, ...what } = JSON.parse(line);
  process.stdout.write(JSON.stringify(await tasks[task](what)) + "\n");
}
