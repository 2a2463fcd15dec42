// Numbers on the command line, read strictly.
import { InvalidArgumentError } from "commander";

/** A parser of whole numbers in these bounds; `as` says in the error what it must be. */
export function wholeNumber(min: number, max: number, as = `a whole number from ${min} to ${max}`) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^[0-9]{1,9}$/.test(text) || value < min || value > max) throw new InvalidArgumentError(`it must be ${as}.`);
    return value;
  };
}

export const portNumber = wholeNumber(0, 65_535, "a port from 0 to 65535");
