/**
 * Progress output: goes to stderr, because scripts read the `name: value` lines of stdout.
 * @param {string} line
 */
export const printProgress = (line) => {
  process.stderr.write(`${line}\n`)
}

/** @param {number} since a reading of performance.now() */
export const secondsSince = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`
