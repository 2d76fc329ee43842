// The checks of the game in a browser, one a run: node checks.mjs NAME.
// The tests in Go start the servers and programs and say where they are; what
// each check is for stands above it.
import { checks as alone } from "./alone.mjs";
import { checks as hidden } from "./hidden.mjs";
import { checks as matches } from "./matches.mjs";
import { checks as solo } from "./solo.mjs";

const checks = { ...alone, ...matches, ...hidden, ...solo };
const name = process.argv[2];
if (!checks[name]) throw new Error(`there is no check ${name}; there are ${Object.keys(checks).join(", ")}`);
await checks[name]();
console.log("PASSED", name);
