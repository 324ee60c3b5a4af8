/** Route of the console by which an operator runs the checks of `doctor` in this server. */
import type { FastifyPluginAsync } from 'fastify'
import { runDoctor as call } from '#contract/console/operator.ts'
import { iso } from '#contract/answer-fields.ts'
import { answerConsoleCall, type ConsoleRouteOptions, type RunDoctor } from '../console-route.ts'

export const doctorRoutes: FastifyPluginAsync<ConsoleRouteOptions> = async (app, { deps, runDoctor }) => {
  let running: ReturnType<RunDoctor> | null = null

  /** One at a time: it connects to the database, to acquirers and to mail servers. Whoever asks meanwhile gets the same findings. */
  const runOnce = (): ReturnType<RunDoctor> => {
    running ??= runDoctor().finally(() => {
      running = null
    })
    return running
  }

  answerConsoleCall(app, call, async () => ({ checks: await runOnce(), at: iso(deps.clock.now()) }))
}
