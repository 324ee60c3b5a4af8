/** Blocking time: how long tasks keep a shopper waiting, as total blocking time is counted. */
export interface Task {
  readonly startTime: number
  readonly duration: number
}

/** A task may take this long before it is felt. */
const UNFELT_MS = 50

/** Of the tasks that begin before the page is live, what lies after the first paint and beyond their first 50 ms. */
export const blockingTime = (tasks: readonly Task[], firstPaintMs: number, liveMs: number): number =>
  tasks
    .filter(({ startTime }) => startTime < liveMs)
    .map(({ startTime, duration }) => Math.max(0, startTime + duration - Math.max(startTime + UNFELT_MS, firstPaintMs)))
    .reduce((sum, each) => sum + each, 0)

/** 0 when none is longer than 50 ms: a browser reports no shorter ones. */
export const longestTask = (tasks: readonly Task[]): number => Math.max(0, ...tasks.map(({ duration }) => duration))
