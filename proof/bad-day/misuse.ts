/** Misuse: what could be turned into somebody's tool, and what is kept that should not be. */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SMTPServer } from 'smtp-server'
import { SECRET_KEY_FILE } from '../../server/config/secret-key.ts'
import { rowDigest } from '../../server/store/backup/backup-file.ts'
import { hashKey } from '../../server/store/merchant/keys.ts'
import { snapshotOfFile } from '../../server/store/backup/snapshot.ts'
import { runKaikei, freePort } from '../harness/server-process.ts'
import { CALL_TIMEOUT_MS, CARDS, send } from '../harness/shop-client.ts'
import { SCREEN } from '../harness/simulated-browser.ts'
import { countPaid, until, withAttackedServer, type Attack, type Measured } from './attacked-server.ts'
import { register, withEndpoints } from './outbox.ts'
import { stoppedFor } from './shiftable-clock.ts'

const STRANGER = 'stranger@example.com'
const MAILS = 25

/** The operator's own mail server: what reaches it would reach the stranger, signed by the operator. */
const mailsToAStranger = async (report: (line: string) => void): Promise<Measured> => {
  const mails: string[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, session, answer) => {
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      let source = ''
      stream.setEncoding('utf8').on('data', (part: string) => (source += part))
      stream.once('end', () => {
        if (recipients.includes(STRANGER)) mails.push(source)
        answer(null, 'taken')
      })
    },
  })
  smtp.on('error', () => undefined)
  const port = await freePort()
  smtp.listen(port, '127.0.0.1')
  try {
    return await withAttackedServer({ more: { SMTP_URL: `smtp://127.0.0.1:${port}` } }, async (server) => {
      const shop = server.shop()
      for (let each = 0; each < MAILS; each += 1) {
        const link = await shop.create({ subject: 'Buy our watches at watches.example.com' })
        await shop.payWhole(link, { email: STRANGER, from: `198.51.100.${each + 1}` })
      }
      await until(15_000, async () => mails.length >= MAILS)
      const spam = mails.filter((source) => /watches/i.test(source) || /watches/i.test(decoded(source)))
      report(`${mails.length} mails to a stranger, ${spam.length} with the text of the shop`)
      return {
        'mails of 25 to a stranger beyond one': Math.max(0, mails.length - 1),
        'mails to a stranger with a text of the shop': spam.length,
      }
    })
  } finally {
    smtp.close()
  }
}

/** The parts of a mail that are written in base64, and its encoded words, as texts. */
const decoded = (source: string): string =>
  [...source.matchAll(/^(?:[A-Za-z0-9+/]{4}){8,}[A-Za-z0-9+/=]*$|(?<==\?utf-8\?b\?)[A-Za-z0-9+/=]+/gim)]
    .map(([part]) => Buffer.from(part, 'base64').toString('utf8'))
    .join('')

const FORGED_KEY = `sk_test_${'f'.repeat(32)}`

const addKey = (file: string): void => {
  const database = new DatabaseSync(file)
  const [first] = database.prepare('SELECT * FROM api_keys').all()
  if (first === undefined) throw new Error('the backup holds no key')
  const forged = { ...first, hash: hashKey(FORGED_KEY) }
  const names = Object.keys(forged)
  const insert = `INSERT INTO api_keys (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
  database.prepare(insert).run(...Object.values(forged))
  database.close()
}

/** Adds a key of our own to a backup, with a digest that is right again. */
const forge = async (file: string): Promise<void> => {
  addKey(file)
  const database = new DatabaseSync(file)
  const columns = Object.keys(database.prepare('SELECT * FROM api_keys').get() ?? {})
  const snapshot = snapshotOfFile(file)
  const digest = rowDigest()
  for await (const row of snapshot.rows({ name: 'api_keys', columns, clusteredBy: null })) digest.add(row)
  await snapshot.close()
  const { rowCount, digest: sum } = digest.end()
  database.prepare("UPDATE backup_tables SET row_count = ?, digest = ? WHERE name = 'api_keys'").run(rowCount, sum)
  database.close()
}

const forgedBackup = (report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({}, async (server) => {
    const folder = await mkdtemp(join(tmpdir(), 'kaikei-forged-'))
    const file = join(folder, 'x.backup')
    const restoreInto = async (name: string): Promise<number> => {
      const dataDir = join(folder, name)
      await mkdir(dataDir)
      await copyFile(join(server.dataDir, SECRET_KEY_FILE), join(dataDir, SECRET_KEY_FILE))
      return runKaikei(['restore', file], { DATA_DIR: dataDir }).then(
        () => 1,
        (error: unknown) => {
          report(`${name}: ${String(error).slice(0, 200)}`)
          return 0
        },
      )
    }
    try {
      await runKaikei(['backup', file], { DATA_DIR: server.dataDir })
      const genuine = await restoreInto('genuine')
      await forge(file)
      return { 'genuine backups restored': genuine, 'forged backups restored': await restoreInto('forged') }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

/** Nothing of the card may stand in the merchant's list of deliveries or in the database. */
const cardInAnAnswer = (): Promise<Measured> =>
  withEndpoints(`received {"card":"4242 4242 4242 4242"} and 4242424242424242`, ({ origin, received }) =>
    withAttackedServer({}, async (server) => {
      const shop = server.shop()
      const webhookId = await register(shop, `${origin}/chatty`)
      await shop.merchant('POST', `/webhooks/${webhookId}/ping`)
      await until(20_000, async () => received.size > 0)
      await until(5000, async () => (await server.count('SELECT count(*) AS n FROM delivery_tries')) > 0)
      const { text } = await shop.merchant('GET', `/webhooks/${webhookId}/deliveries`)
      return {
        'card numbers kept of an endpoint’s answer': [...text.matchAll(/4242[ -]?4242[ -]?4242[ -]?4242/g)].length,
      }
    }),
  )

const foreignHost = (): Promise<Measured> =>
  withAttackedServer({}, async (server) => {
    const own = await server.metrics()
    const foreign = await server.metrics('attacker.example.com')
    if (own.status !== 200) throw new Error(`/metrics answers its own host ${own.status}`)
    return { 'metrics told to a foreign host': foreign.text.includes('kaikei_') ? 1 : 0 }
  })

const FACTS = 'SELECT count(*) AS n FROM authentications WHERE browser IS NOT NULL OR collected IS NOT NULL'

/** Starts that nobody went on with, one of them in a second tab; then a day passes. */
const browserFacts = (): Promise<Measured> =>
  stoppedFor(
    '+25h',
    async (server) => {
      const { port } = server.shop()
      const link = await server.shop().create()
      for (let tab = 0; tab < 2; tab += 1) {
        const { body } = await server.shop().start(link, { number: CARDS['without a challenge'] })
        const ticket = String(body['collectUrl']).split('/').at(-1) ?? ''
        const headers = { host: `3ds.localhost:${port}`, 'user-agent': 'Phone/1' }
        const path = `/collect/${ticket}/browser`
        await send(port, { method: 'POST', path, headers, body: SCREEN, timeoutMs: CALL_TIMEOUT_MS })
      }
      if ((await server.count(FACTS)) === 0) throw new Error('no facts of a browser were kept at all')
    },
    async (server) => {
      await until(80_000, async () => (await server.count(FACTS)) === 0, 1000)
      return { 'browser facts kept after a day': await server.count(FACTS) }
    },
  )

const SILENT_CARD = '4100000000754003'

/** One shopper with one card that the acquirer never answers about; then others pay. */
const oneSilentCard = (report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({ more: { GATEWAY_TIMEOUT_MS: '1000' } }, async (server) => {
    const shop = server.shop()
    const links = await Promise.all(Array.from({ length: 5 }, () => shop.create()))
    await Promise.all(links.map((link) => shop.payWhole(link, { number: SILENT_CARD, from: '198.51.100.7' })))
    return { 'payments of 5 paid after one card’s five silences': await countPaid(shop, 5, report) }
  })

export const misuse: readonly Attack[] = [
  { name: 'mails to a stranger', run: mailsToAStranger },
  { name: 'a forged backup', run: forgedBackup },
  { name: 'a card number in an endpoint’s answer', run: cardInAnAnswer },
  { name: 'metrics and a foreign host', run: foreignHost },
  { name: 'facts of a browser', run: browserFacts },
  { name: 'one silent card', run: oneSilentCard },
]
