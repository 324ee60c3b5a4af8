/** A fault that one line explains: the commands print the line and end, without a stack. */
export class Refusal extends Error {}

/**
 * Progress goes to stderr: scripts read the `name: value` lines of stdout.
 * @param {string} line
 */
export const say = (line) => {
  process.stderr.write(`${line}\n`)
}

/** @param {number} since a reading of performance.now() */
export const secondsSince = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
