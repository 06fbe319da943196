/** Loads the table with all that its first picture needs. */

import { gameOf } from "../bindings/rulename.js";
import { load } from "../ui/resources.js";

/** @param {string} rules a ruleset's name; of all games, only Wild Jackpot has rule cards and a lever */
export const loadGame = (rules) =>
  Promise.all([load(import("./game.js")), gameOf(rules) === "wild-jackpot" && load(import("../motion/lever.js"))]);
