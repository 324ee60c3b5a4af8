/**
 * Wakes libuv's thread pool each second, in a process of tests.
 *
 * Up to 2.40 glibc can lose a wake-up of a condition variable (its bug 25847; Debian 12 has 2.36): a job of the file system then
 * lies in the queue of the pool while all of its threads sleep, until another job comes. A server gets another one at once. A
 * test that waits for this one promise and for nothing else would wait until it is ended as hanging, with no CPU used.
 */
import { stat } from 'node:fs'

const INTERVAL_MS = 1000

export const wakeThreadPool = (): void => {
  // Unreferenced: it must not keep a process that has nothing else to do.
  setInterval(() => stat('/', () => undefined), INTERVAL_MS).unref()
}
