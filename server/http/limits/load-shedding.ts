/** Load shedding: how a request is answered that a busy server does not work on, so that payments get the processor. */
import type { FastifyReply } from 'fastify'
import { errorBody, refuse } from '#contract/errors.ts'
import type { LaneEntry } from './lane-table.ts'

/** After how many seconds a shed caller may come back. */
export const RETRY_AFTER_SECONDS = 2
/** Delay of the answer to a caller that is shed on arrival: otherwise it retries at once, and the server is busy with refusals alone. */
export const SHED_DELAY_MS = 2000

/** A small static page in the two languages of most shoppers: sending it costs almost nothing. */
export const OVERLOADED_PAGE = `<!doctype html>
<html lang="ja"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>503</title>
<p lang="ja">ただいま混み合っています。数秒後にもう一度お試しください。</p>
<p lang="en">The page is busy. Please open it again in a few seconds.</p>
</html>
`

const BODIES: Readonly<Record<LaneEntry['answer'], readonly [type: string, body: string]>> = {
  page: ['text/html; charset=utf-8', OVERLOADED_PAGE],
  call: ['application/json; charset=utf-8', JSON.stringify(errorBody(refuse('unavailable')))],
  plain: ['text/plain; charset=utf-8', 'The server is busy. Try again in a few seconds.\n'],
}

export const sendUnavailable = (reply: FastifyReply, answer: LaneEntry['answer']): FastifyReply => {
  const [type, body] = BODIES[answer]
  return reply.code(503).header('retry-after', String(RETRY_AFTER_SECONDS)).type(type).send(body)
}
