/** Log lines of a server under fuzz: its errors, and which routes were answered how. */
import { FUZZED_ROUTES } from './routes.ts'

/** A route that fewer requests have reached was not fuzzed. */
const REACHED_MIN = 5

/** What nobody may cause from outside: an error, an alarm, or words of Node itself, which are no JSON. */
export const errorLines = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.trim() !== '' && (!line.startsWith('{') || /^\{"level":"(error|fatal)"/.test(line)))

/** How often each route was answered with each status, as `GET /healthz 200`. */
export type AnswerCounts = Map<string, number>

const ANSWERED = /"call":"([^"]*)","status":(\d{3}),"ms":\d+,"msg":"answered"/

export const countAnswer = (counts: AnswerCounts, line: string): void => {
  const [, call, status] = ANSWERED.exec(line) ?? []
  if (call === undefined) return
  const answer = `${call} ${status}`
  counts.set(answer, (counts.get(answer) ?? 0) + 1)
}

export const countAnswers = (lines: readonly string[]): AnswerCounts => {
  const counts: AnswerCounts = new Map()
  for (const line of lines) countAnswer(counts, line)
  return counts
}

/** The routes under fuzz whose valid call was hardly ever answered as it should be. */
export const unreachedRoutes = (counts: AnswerCounts, least = REACHED_MIN): string[] =>
  Object.entries(FUZZED_ROUTES)
    .filter(([route, { reached }]) => (counts.get(`${route} ${reached}`) ?? 0) < least)
    .map(([route, { reached }]) => `${route} ${reached}: ${counts.get(`${route} ${reached}`) ?? 0}`)
