// Test process: node test-process.ts <ms> file… runs test files one after the other and tells its parent each test that begins and
// each result at once: a test that ends the process loses nothing. What is open so long after the last test is told, and ended.
import { channel } from 'node:diagnostics_channel'
import { Server } from 'node:net'
import { relative } from 'node:path'
import { getTestContext, run, type EventData } from 'node:test'
import { inspect } from 'node:util'
import { isRecord } from '../is-record.mjs'
import { wakeThreadPool } from './wake-thread-pool.ts'

/** Of a test, or without a title of its file; where it is not known of which, of several. */
export interface TestMessage {
  readonly state: 'begins' | 'passed' | 'failed' | 'skipped' | 'ended'
  readonly title: string
  readonly file: string
  readonly why: string
}

wakeThreadPool()

const [openMs, ...files] = process.argv.slice(2)
const left = [...files]
const titles = new Map<number | undefined, string>()
const seen = new Map<string, number>()
const listeners = new Map<Server, Pick<TestMessage, 'title' | 'file'>>()

const titleOf = ({ name, parentId }: EventData.TestDequeue | EventData.TestPass | EventData.TestFail): string =>
  [...(titles.has(parentId) ? [titles.get(parentId)] : []), name].join(' > ')

const tell = (state: TestMessage['state'], more: Partial<TestMessage> = {}): void =>
  void process.send?.({ title: '', file: left[0] ?? files.join(' '), why: '', ...more, state })

channel('tracing:net.server.listen:asyncStart').subscribe((message) => {
  const test = getTestContext()
  if (!isRecord(message) || !(message['server'] instanceof Server)) return
  const { server } = message
  listeners.set(server, { title: test?.fullName ?? '', file: relative('', test?.filePath ?? '') })
  server.once('close', () => listeners.delete(server))
})

const tellWhatIsOpen = (): void => {
  for (const test of listeners.values()) tell('failed', { ...test, why: 'left a listener open' })
  if (listeners.size === 0) tell('failed', { why: `left open: ${process.getActiveResourcesInfo().join(', ')}` })
  process.exit(1)
}

const tellResult = (data: EventData.TestPass | EventData.TestFail, error?: EventData.Error): void => {
  const why =
    error === undefined ? '' : `${relative('', data.file ?? '')}:${data.line}\n${inspect(error.cause ?? error)}`
  if (data.name === left[0]) return tell('failed', { why: error === undefined ? 'holds no test' : why })
  if (data.name === `./${left[0]}`) {
    if (error !== undefined) tell('failed', { why })
    tell('ended')
    left.shift()
    // Node would wait for ever.
    if (left.length === 0) setTimeout(tellWhatIsOpen, Number(openMs)).unref()
  } else if (data.details.type !== 'suite' || (error !== undefined && !/^\d+ subtests? failed$/.test(error.message))) {
    const isSkipped = data.skip !== undefined || data.todo !== undefined
    const title = titles.get(data.testId) ?? titleOf(data)
    tell(isSkipped ? 'skipped' : error === undefined ? 'passed' : 'failed', { title, why })
  }
}

// Each once more under another name. That adds no test, so Node reports one of this name: the end of the file. It fails if the
// file threw after its first test, of which Node says nothing else.
const events = run({ files: files.flatMap((file) => [file, `./${file}`]), isolation: 'none' })
events.on('test:dequeue', (data) => {
  const title = titleOf(data)
  // Several tests of a file may have one title: each counts.
  const nth = (seen.get(`${left[0]} ${title}`) ?? 0) + 1
  seen.set(`${left[0]} ${title}`, nth)
  titles.set(data.testId, nth === 1 ? title : `${title} (${nth})`)
  tell('begins', { title: titles.get(data.testId) ?? '' })
})
events.on('test:pass', (data) => tellResult(data))
events.on('test:fail', (data) => tellResult(data, data.details.error))
events.on('test:diagnostic', ({ message, file }) => {
  if (file !== undefined) process.stdout.write(`  ${message}\n`)
  // Thrown after its test had ended, which fails no test.
  else if (message.startsWith('Error: ')) tell('failed', { why: message })
})
