/** Server under fuzz: the real process with the settings of production, its answers counted and its errors kept. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { listenOnFreePort } from '../harness/server-process.ts'
import { startSandbox } from '../harness/sandbox-process.ts'
import { isPaid, shopClient } from '../harness/shop-client.ts'
import { countAnswer, errorLines, type AnswerCounts } from './log-lines.ts'
import { problemOfJson, problemOfMail, strictText } from './strict-reader.ts'
import { signInUnderFuzz } from './fuzz-person.ts'
import type { FuzzSite } from './fuzz-request.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import { systemClock } from '../../server/dependencies.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { openEmbedded } from '../../server/store/engine/sqlite.ts'
import { findListedMerchant } from '../../server/store/merchant/merchants.ts'
import type { Memory } from '../programs/inspected-process.ts'
import { startProductionServer } from '../programs/production-server.ts'

/** What the server has sent by itself: how much, and what a strict reader could not read. */
export interface SentTexts {
  readonly webhooks: number
  readonly mails: number
  readonly problems: readonly string[]
}

export interface ServerUnderFuzz {
  readonly site: FuzzSite
  readonly answers: AnswerCounts
  /** Whether it is still the process that was started. */
  isRunning(): boolean
  /** Error lines of its log so far, the first of them. */
  errors(): readonly string[]
  memory(): Promise<Memory>
  /** Its webhooks and mails so far, as a strict reader takes them. */
  sent(): Promise<SentTexts>
  stop(): Promise<void>
}

/** Of a card that no fuzzed request has used, from an address of its own. */
const LAST_SHOPPER = { number: '5100000000000107', from: '203.0.113.7' }
const TOO_MANY = 429
/** What was fuzzed may have used up a limit of the merchant, which is over in a while. */
const LIMIT_RETRIES = 24
const LIMIT_RETRY_MS = 5000

/** A shopper pays as if nothing had happened. Undefined: paid. Otherwise what was answered instead. */
export const payOnce = async ({ port, key, merchant }: FuzzSite): Promise<string | undefined> => {
  try {
    const shop = shopClient(port, key, merchant)
    const link = await shop.create()
    for (let tries = 0; ; tries += 1) {
      const end = await shop.payWhole(link, LAST_SHOPPER)
      if (isPaid(end)) return undefined
      if (end.answer.status !== TOO_MANY || tries >= LIMIT_RETRIES)
        return `${end.call} ${end.answer.status} ${end.answer.text}`
      await wait(LIMIT_RETRY_MS)
    }
  } catch (error) {
    return String(error)
  }
}

/** A million requests end many of them. */
const SESSIONS = 3000

/** In the database of the running server, as a command of the operator would. */
const signIn = async (dataDir: string): Promise<NonNullable<FuzzSite['console']>> => {
  const database = await openEmbedded(dataDir)
  const shop = await findListedMerchant(database, DEMO_LABEL)
  if (shop === null) throw new Error('the demo shop is gone')
  const console = await signInUnderFuzz(database, shop.id, { now: systemClock.now(), sessions: SESSIONS })
  await database.close()
  return console
}

/** An endpoint of the fuzzed shop that reads what it is sent as strictly as PHP would. */
const startStrictEndpoint = async () => {
  let webhooks = 0
  const problems = new Set<string>()
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      webhooks += 1
      const text = strictText(bytes)
      const problem = text === undefined ? 'bytes that are no UTF-8' : problemOfJson(text)
      if (problem !== undefined) problems.add(`a webhook: ${problem}`)
      response.end()
    })
  })
  const port = await listenOnFreePort(server)
  return {
    url: `http://127.0.0.1:${port}/strict`,
    read: () => ({ webhooks, problems: [...problems] }),
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A log of a million errors is as good as one of these. */
const ERRORS_KEPT = 50

export const startServerUnderFuzz = async (): Promise<ServerUnderFuzz> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kaikei-fuzz-'))
  const sandbox = await startSandbox()
  const endpoint = await startStrictEndpoint()
  const [asset = ''] = (await readPageBuild()).assets.keys()
  const answers: AnswerCounts = new Map()
  const errors: string[] = []
  const removeAll = async (): Promise<void> => {
    endpoint.stop()
    await sandbox.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const onLogLine = (line: string): void => {
    if (line.startsWith('{"level":"info"')) countAnswer(answers, line)
    else if (errors.length < ERRORS_KEPT) errors.push(...errorLines([line]))
  }
  const sandboxPort = new URL(sandbox.origin).port
  const server = await startProductionServer({ dataDir, sandboxPort, onLogLine }).catch(async (error: unknown) => {
    await removeAll()
    throw error
  })
  const { port, key, isRunning, memory } = server
  const registered = await shopClient(port, key, DEMO_LABEL).merchant('POST', '/webhooks', { url: endpoint.url })
  if (registered.status !== 201) throw new Error(`no webhook: ${registered.text}`)
  return {
    site: { port, base: `localhost:${port}`, merchant: DEMO_LABEL, key, asset, console: await signIn(dataDir) },
    answers,
    isRunning,
    errors: () => errors,
    memory,
    sent: async () => {
      const { webhooks, problems } = endpoint.read()
      const mails = await sandbox.mails()
      const ofMails = new Set(mails.flatMap(({ source }) => problemOfMail(source) ?? []))
      return { webhooks, mails: mails.length, problems: [...problems, ...ofMails] }
    },
    stop: async () => {
      await server.stop()
      await removeAll()
    },
  }
}
