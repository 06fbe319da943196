/** What a table on a device takes over from the server's: made by `python -m tools.contract`, not by hand. Times in seconds. */

/** @import { Effort } from "../local/kernel.js" */
/** @import { Settings } from "../line/protocol.js" */

/** @typedef {{name: string, tempo: number, wilds: number, danger: number}} Regular */

/**
 * @typedef {{beat: number, say: string, at: string, moves: string[], then: string | null,
 *   seat: number | null}} Step
 */

/** @typedef {{position: string, script: Record<string, string[]>, steps: Step[], beats: number}} Lesson */

/**
 * @type {{version: number, settings: Settings, speeds: Record<string, number>, quick: string[], pile: number,
 *   remembered_acts: number, most_calls: number, remembered: number, next_round: number, number_wait: number,
 *   levels: {quick: string, standin: string, plain: string},
 *   tempo: {think: number[], question: number, nearly_out: number, call: number[], catch: number[], jump: number[],
 *   read: number, pause: number}, regulars: Record<string, Regular[]>, styles: Record<string, string[]>,
 *   looks: {alike: Record<string, string>, unseen: string},
 *   hint: {best: number, seconds: number | null, finding: Effort, measuring: Effort},
 *   judge: {chains: number, fewest: number, afresh: number, finding: Effort, measuring: Effort},
 *   moments: {rollouts: number, costly: number, lucky: number, needy: number, behind: number},
 *   report: {seed: number, rollouts: number, grades: Record<string, number>, longest: number, levels: string[],
 *   rates: Record<string, Record<string, number[]>>}, lessons: Record<string, Lesson>}}
 */
export const FACTS = {
 "version": 1,
 "settings": {
  "rules": "all-wild",
  "seats": 4,
  "pace": "normal",
  "grace": 1000,
  "spectators": true,
  "chat": true,
  "hints": false,
  "take_backs": false,
  "bots": "normal"
 },
 "speeds": {
  "slow": 1.6,
  "normal": 1.0,
  "quick": 0.5
 },
 "quick": [
  "hello",
  "good_luck",
  "nice",
  "oops",
  "hurry",
  "wait",
  "sorry",
  "thanks",
  "again",
  "bye",
  "laugh",
  "wow",
  "cry",
  "angry",
  "clap",
  "heart",
  "think",
  "party"
 ],
 "pile": 5,
 "remembered_acts": 300,
 "most_calls": 12,
 "remembered": 5.0,
 "next_round": 15.0,
 "number_wait": 1.5,
 "levels": {
  "quick": "casual",
  "standin": "casual",
  "plain": "sharp"
 },
 "tempo": {
  "think": [
   0.9,
   1.9
  ],
  "question": 0.5,
  "nearly_out": 2,
  "call": [
   0.6,
   1.4
  ],
  "catch": [
   0.6,
   1.5
  ],
  "jump": [
   0.6,
   1.4
  ],
  "read": 0.6,
  "pause": 0.7
 },
 "regulars": {
  "learner": [
   {
    "name": "Bo",
    "tempo": 0.7,
    "wilds": 0.0,
    "danger": 0.0
   },
   {
    "name": "Pepa",
    "tempo": 1.1,
    "wilds": 0.8,
    "danger": 0.0
   },
   {
    "name": "Zuzu",
    "tempo": 0.8,
    "wilds": 0.0,
    "danger": 0.6
   },
   {
    "name": "Momo",
    "tempo": 1.3,
    "wilds": 0.0,
    "danger": 0.0
   }
  ],
  "casual": [
   {
    "name": "Milo",
    "tempo": 0.8,
    "wilds": 0.0,
    "danger": 0.0
   },
   {
    "name": "Juno",
    "tempo": 1.0,
    "wilds": 0.7,
    "danger": 0.0
   },
   {
    "name": "Kit",
    "tempo": 0.7,
    "wilds": 0.0,
    "danger": 0.8
   },
   {
    "name": "Tomo",
    "tempo": 1.3,
    "wilds": 0.0,
    "danger": 0.0
   }
  ],
  "sharp": [
   {
    "name": "Rio",
    "tempo": 0.6,
    "wilds": 0.0,
    "danger": 0.0
   },
   {
    "name": "Lux",
    "tempo": 0.9,
    "wilds": 0.0,
    "danger": 0.5
   },
   {
    "name": "Vera",
    "tempo": 1.1,
    "wilds": 0.6,
    "danger": 0.0
   },
   {
    "name": "Otis",
    "tempo": 1.2,
    "wilds": 0.0,
    "danger": 0.4
   }
  ],
  "expert": [
   {
    "name": "Nova",
    "tempo": 1.0,
    "wilds": 0.5,
    "danger": 0.7
   },
   {
    "name": "Odo",
    "tempo": 1.3,
    "wilds": 0.0,
    "danger": 0.0
   },
   {
    "name": "Mika",
    "tempo": 0.8,
    "wilds": 0.8,
    "danger": 0.0
   },
   {
    "name": "Sol",
    "tempo": 0.9,
    "wilds": 0.0,
    "danger": 0.9
   }
  ],
  "master": [
   {
    "name": "Zeno",
    "tempo": 1.2,
    "wilds": 0.5,
    "danger": 0.0
   },
   {
    "name": "Orla",
    "tempo": 1.0,
    "wilds": 0.0,
    "danger": 0.8
   },
   {
    "name": "Kai",
    "tempo": 0.7,
    "wilds": 0.0,
    "danger": 0.0
   },
   {
    "name": "Noor",
    "tempo": 0.9,
    "wilds": 0.4,
    "danger": 0.4
   }
  ]
 },
 "styles": {
  "learner": [],
  "casual": [
   "cautious",
   "aggressive",
   "hoarder"
  ],
  "sharp": [
   "cautious",
   "aggressive",
   "hoarder"
  ],
  "expert": [],
  "master": []
 },
 "hint": {
  "best": 3,
  "seconds": 1.0,
  "finding": {
   "rollouts": 4000,
   "milliseconds": 800,
   "horizon": 30.0,
   "deals": 512,
   "burn": 300,
   "thin": 5,
   "judged": 16,
   "trust": 0.97,
   "strays": 0.3,
   "prior": 0.8,
   "habits": 1
  },
  "measuring": {
   "rollouts": 4000,
   "milliseconds": null,
   "horizon": 30.0,
   "deals": 256,
   "burn": 300,
   "thin": 10,
   "judged": 16,
   "trust": 0.97,
   "strays": 0.3,
   "prior": 0.8,
   "habits": 1
  }
 },
 "looks": {
  "alike": {
   "\u0410": "A",
   "\u0412": "B",
   "\u0415": "E",
   "\u0405": "S",
   "\u0406": "l",
   "\u0408": "J",
   "\u041a": "K",
   "\u041c": "M",
   "\u041d": "H",
   "\u041e": "O",
   "\u0420": "P",
   "\u0421": "C",
   "\u0422": "T",
   "\u0423": "Y",
   "\u0425": "X",
   "\u0417": "3",
   "\u0430": "a",
   "\u0435": "e",
   "\u0456": "i",
   "\u0458": "j",
   "\u043e": "o",
   "\u0440": "p",
   "\u0441": "c",
   "\u0443": "y",
   "\u0445": "x",
   "\u0455": "s",
   "\u0501": "d",
   "\u04bb": "h",
   "\u051b": "q",
   "\u051d": "w",
   "\u0391": "A",
   "\u0392": "B",
   "\u0395": "E",
   "\u0396": "Z",
   "\u0397": "H",
   "\u0399": "l",
   "\u039a": "K",
   "\u039c": "M",
   "\u039d": "N",
   "\u039f": "O",
   "\u03a1": "P",
   "\u03a4": "T",
   "\u03a5": "Y",
   "\u03a7": "X",
   "\u03bf": "o",
   "\u03b1": "a",
   "\u03b9": "i",
   "\u03bd": "v",
   "1": "l",
   "I": "l",
   "|": "l",
   "\u01c0": "l",
   "\u04c0": "l",
   "0": "o",
   "\u0131": "i"
  },
  "unseen": "\u200c\u200d\u180b\u180c\u180d\u180f\ufe00\ufe01\ufe02\ufe03\ufe04\ufe05\ufe06\ufe07\ufe08\ufe09\ufe0a\ufe0b\ufe0c\ufe0d\ufe0e\ufe0f\udb40\udd00\udb40\udd01\udb40\udd02\udb40\udd03\udb40\udd04\udb40\udd05\udb40\udd06\udb40\udd07\udb40\udd08\udb40\udd09\udb40\udd0a\udb40\udd0b\udb40\udd0c\udb40\udd0d\udb40\udd0e\udb40\udd0f\udb40\udd10\udb40\udd11\udb40\udd12\udb40\udd13\udb40\udd14\udb40\udd15\udb40\udd16\udb40\udd17\udb40\udd18\udb40\udd19\udb40\udd1a\udb40\udd1b\udb40\udd1c\udb40\udd1d\udb40\udd1e\udb40\udd1f\udb40\udd20\udb40\udd21\udb40\udd22\udb40\udd23\udb40\udd24\udb40\udd25\udb40\udd26\udb40\udd27\udb40\udd28\udb40\udd29\udb40\udd2a\udb40\udd2b\udb40\udd2c\udb40\udd2d\udb40\udd2e\udb40\udd2f\udb40\udd30\udb40\udd31\udb40\udd32\udb40\udd33\udb40\udd34\udb40\udd35\udb40\udd36\udb40\udd37\udb40\udd38\udb40\udd39\udb40\udd3a\udb40\udd3b\udb40\udd3c\udb40\udd3d\udb40\udd3e\udb40\udd3f\udb40\udd40\udb40\udd41\udb40\udd42\udb40\udd43\udb40\udd44\udb40\udd45\udb40\udd46\udb40\udd47\udb40\udd48\udb40\udd49\udb40\udd4a\udb40\udd4b\udb40\udd4c\udb40\udd4d\udb40\udd4e\udb40\udd4f\udb40\udd50\udb40\udd51\udb40\udd52\udb40\udd53\udb40\udd54\udb40\udd55\udb40\udd56\udb40\udd57\udb40\udd58\udb40\udd59\udb40\udd5a\udb40\udd5b\udb40\udd5c\udb40\udd5d\udb40\udd5e\udb40\udd5f\udb40\udd60\udb40\udd61\udb40\udd62\udb40\udd63\udb40\udd64\udb40\udd65\udb40\udd66\udb40\udd67\udb40\udd68\udb40\udd69\udb40\udd6a\udb40\udd6b\udb40\udd6c\udb40\udd6d\udb40\udd6e\udb40\udd6f\udb40\udd70\udb40\udd71\udb40\udd72\udb40\udd73\udb40\udd74\udb40\udd75\udb40\udd76\udb40\udd77\udb40\udd78\udb40\udd79\udb40\udd7a\udb40\udd7b\udb40\udd7c\udb40\udd7d\udb40\udd7e\udb40\udd7f\udb40\udd80\udb40\udd81\udb40\udd82\udb40\udd83\udb40\udd84\udb40\udd85\udb40\udd86\udb40\udd87\udb40\udd88\udb40\udd89\udb40\udd8a\udb40\udd8b\udb40\udd8c\udb40\udd8d\udb40\udd8e\udb40\udd8f\udb40\udd90\udb40\udd91\udb40\udd92\udb40\udd93\udb40\udd94\udb40\udd95\udb40\udd96\udb40\udd97\udb40\udd98\udb40\udd99\udb40\udd9a\udb40\udd9b\udb40\udd9c\udb40\udd9d\udb40\udd9e\udb40\udd9f\udb40\udda0\udb40\udda1\udb40\udda2\udb40\udda3\udb40\udda4\udb40\udda5\udb40\udda6\udb40\udda7\udb40\udda8\udb40\udda9\udb40\uddaa\udb40\uddab\udb40\uddac\udb40\uddad\udb40\uddae\udb40\uddaf\udb40\uddb0\udb40\uddb1\udb40\uddb2\udb40\uddb3\udb40\uddb4\udb40\uddb5\udb40\uddb6\udb40\uddb7\udb40\uddb8\udb40\uddb9\udb40\uddba\udb40\uddbb\udb40\uddbc\udb40\uddbd\udb40\uddbe\udb40\uddbf\udb40\uddc0\udb40\uddc1\udb40\uddc2\udb40\uddc3\udb40\uddc4\udb40\uddc5\udb40\uddc6\udb40\uddc7\udb40\uddc8\udb40\uddc9\udb40\uddca\udb40\uddcb\udb40\uddcc\udb40\uddcd\udb40\uddce\udb40\uddcf\udb40\uddd0\udb40\uddd1\udb40\uddd2\udb40\uddd3\udb40\uddd4\udb40\uddd5\udb40\uddd6\udb40\uddd7\udb40\uddd8\udb40\uddd9\udb40\uddda\udb40\udddb\udb40\udddc\udb40\udddd\udb40\uddde\udb40\udddf\udb40\udde0\udb40\udde1\udb40\udde2\udb40\udde3\udb40\udde4\udb40\udde5\udb40\udde6\udb40\udde7\udb40\udde8\udb40\udde9\udb40\uddea\udb40\uddeb\udb40\uddec\udb40\udded\udb40\uddee\udb40\uddef"
 },
 "judge": {
  "chains": 16,
  "fewest": 6,
  "afresh": 1575931494,
  "finding": {
   "rollouts": 4000,
   "milliseconds": null,
   "horizon": 30.0,
   "deals": 512,
   "burn": 300,
   "thin": 5,
   "judged": 16,
   "trust": 0.97,
   "strays": 0.3,
   "prior": 0.8,
   "habits": 1
  },
  "measuring": {
   "rollouts": 4000,
   "milliseconds": null,
   "horizon": 30.0,
   "deals": 96,
   "burn": 300,
   "thin": 10,
   "judged": 16,
   "trust": 0.97,
   "strays": 0.3,
   "prior": 0.8,
   "habits": 1
  }
 },
 "report": {
  "seed": 0,
  "rollouts": 2500,
  "grades": {
   "blunder": 0.1,
   "mistake": 0.04,
   "inaccuracy": 0.0
  },
  "longest": 400,
  "levels": [
   "learner",
   "casual",
   "sharp",
   "expert",
   "master"
  ],
  "rates": {
   "all-wild": {
    "2": [
     5.31,
     4.92,
     3.67,
     -0.07,
     -0.07
    ],
    "4": [
     3.48,
     3.08,
     1.98,
     -0.06,
     -0.06
    ]
   },
   "classic": {
    "2": [
     2.66,
     1.7,
     1.22,
     0.01,
     0.01
    ],
    "4": [
     1.33,
     1.09,
     0.66,
     0.02,
     0.02
    ]
   },
   "wild-jackpot": {
    "2": [
     2.57,
     2.17,
     1.31,
     -0.01,
     -0.01
    ],
    "4": [
     2.08,
     1.49,
     0.73,
     0.03,
     0.03
    ]
   }
  }
 },
 "moments": {
  "rollouts": 400,
  "costly": 0.05,
  "lucky": 0.1,
  "needy": 50,
  "behind": 0.5
 },
 "lessons": {
  "classic": {
   "position": "rules = \"classic\"\nhands = [\"R8 Ys G5 B1\", \"R1 R3 Y1 Y4 G1 G3 B1 B8\", \"R9 Y1 Y6 Y7 G8 G9\"]\ndiscard = \"B4 B6 R6 R5\"\ndraw = \"Y9 W R2 G4 B3 Y2 R7 B9 G6 Y5\"\n",
   "script": {
    "1": [
     "R3 G3",
     "Y4",
     "R1 G1 B1 Y1",
     "B8"
    ],
    "2": [
     "R9 G9",
     "Y6",
     "Y7",
     "Y1",
     "G8"
    ]
   },
   "steps": [
    {
     "beat": 1,
     "say": "match",
     "at": "hand",
     "moves": [
      "R8",
      "G5"
     ],
     "then": null,
     "seat": null
    },
    {
     "beat": 2,
     "say": "draw",
     "at": "draw",
     "moves": [
      "draw"
     ],
     "then": null,
     "seat": null
    },
    {
     "beat": 2,
     "say": "drawn",
     "at": "hand",
     "moves": [
      "Y9"
     ],
     "then": null,
     "seat": null
    },
    {
     "beat": 3,
     "say": "skip",
     "at": "hand",
     "moves": [
      "Ys"
     ],
     "then": "skipped",
     "seat": 1
    },
    {
     "beat": 4,
     "say": "again",
     "at": "draw",
     "moves": [
      "draw"
     ],
     "then": null,
     "seat": null
    },
    {
     "beat": 4,
     "say": "wild",
     "at": "hand",
     "moves": [
      "W=R",
      "W=Y",
      "W=G",
      "W=B"
     ],
     "then": "named",
     "seat": null
    },
    {
     "beat": 5,
     "say": "uno",
     "at": "uno",
     "moves": [
      "uno"
     ],
     "then": null,
     "seat": null
    },
    {
     "beat": 5,
     "say": "play",
     "at": "hand",
     "moves": [
      "B1"
     ],
     "then": "safe",
     "seat": null
    },
    {
     "beat": 5,
     "say": "catch",
     "at": "seat",
     "moves": [
      "catch>2"
     ],
     "then": null,
     "seat": 2
    },
    {
     "beat": 5,
     "say": "last",
     "at": "hand",
     "moves": [
      "R8",
      "G5"
     ],
     "then": null,
     "seat": 2
    }
   ],
   "beats": 5
  },
  "all-wild": {
   "position": "rules = \"all-wild\"\nhands = [\"W W Wx Ws Wr\", \"W*5\", \"W W W@2\"]\ndiscard = \"W*4\"\ndraw = \"W*8\"\n",
   "script": {
    "1": [
     "W",
     "W",
     "W",
     "W"
    ],
    "2": [
     "W",
     "W Wr",
     "W Wr"
    ]
   },
   "steps": [
    {
     "beat": 1,
     "say": "any",
     "at": "hand",
     "moves": [
      "W",
      "Wr",
      "Ws"
     ],
     "then": null,
     "seat": null
    },
    {
     "beat": 2,
     "say": "swap",
     "at": "seat",
     "moves": [
      "Wx>2"
     ],
     "then": "swapped",
     "seat": 2
    },
    {
     "beat": 3,
     "say": "uno",
     "at": "uno",
     "moves": [
      "uno"
     ],
     "then": null,
     "seat": null
    },
    {
     "beat": 3,
     "say": "target",
     "at": "hand",
     "moves": [
      "W@2>1",
      "W@2>2"
     ],
     "then": null,
     "seat": null
    },
    {
     "beat": 3,
     "say": "last",
     "at": "hand",
     "moves": [
      "W"
     ],
     "then": null,
     "seat": null
    }
   ],
   "beats": 3
  },
  "wild-jackpot": {
   "position": "rules = \"wild-jackpot\"\nhands = [\"Rj Y1 G2 B7 Wj\", \"R4 R6 Y3 G8 B5\", \"R0 R9 Y7 G4 B2\"]\ndiscard = \"R3 R5\"\ndraw = \"G0 B4 Y5 G3 B1 Y2 G5 B3\"\nlever = [\"left\", \"discard\"]\nrule_cards = [\"draw 2\"]\n",
   "script": {
    "1": [
     "R4"
    ],
    "2": [
     "R9"
    ]
   },
   "steps": [
    {
     "beat": 1,
     "say": "jackpot",
     "at": "hand",
     "moves": [
      "Rj"
     ],
     "then": null,
     "seat": null
    },
    {
     "beat": 2,
     "say": "pull",
     "at": "lever",
     "moves": [
      "pull"
     ],
     "then": "left",
     "seat": 1
    },
    {
     "beat": 3,
     "say": "wild",
     "at": "hand",
     "moves": [
      "Wj=R",
      "Wj=Y",
      "Wj=G",
      "Wj=B"
     ],
     "then": null,
     "seat": null
    },
    {
     "beat": 3,
     "say": "once_more",
     "at": "lever",
     "moves": [
      "pull"
     ],
     "then": null,
     "seat": null
    },
    {
     "beat": 3,
     "say": "throw",
     "at": "hand",
     "moves": [
      "throw G2",
      "throw B7",
      "throw Y1"
     ],
     "then": null,
     "seat": null
    },
    {
     "beat": 3,
     "say": "throw",
     "at": "hand",
     "moves": [
      "throw G2",
      "throw B7",
      "throw Y1"
     ],
     "then": null,
     "seat": null
    },
    {
     "beat": 3,
     "say": "throw",
     "at": "hand",
     "moves": [
      "throw G2",
      "throw B7",
      "throw Y1"
     ],
     "then": null,
     "seat": null
    }
   ],
   "beats": 3
  }
 }
};
