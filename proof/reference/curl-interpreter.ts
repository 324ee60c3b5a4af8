/** Curl interpreter: carries out the curl texts of the reference where no curl is installed. It knows what they use and no more. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Variables = Readonly<Record<string, string>>

/** One word of a shell: quoted pieces and bare ones, side by side. */
const PIECE = /^(?:'([^']*)'|"([^"`\\]*)"|\\(['\n ])|([\w./:-]+))/

const withVariables = (text: string, variables: Variables): string =>
  text.replaceAll(/\$(\w*)/g, (_, name: string) => {
    const value = variables[name]
    if (value === undefined) throw new Error(`the shell knows no $${name}`)
    return value
  })

/** The words of a command as a POSIX shell splits them. */
export const shellWords = (command: string, variables: Variables): string[] => {
  const words: string[] = []
  let rest = command
  let word: string | undefined
  const end = (): void => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  while (rest !== '') {
    const blank = /^(?: |\\\n)+/.exec(rest)?.[0]
    if (blank !== undefined) {
      end()
      rest = rest.slice(blank.length)
      continue
    }
    const [piece, single, double, escaped, bare] = PIECE.exec(rest) ?? []
    if (piece === undefined) throw new Error(`not a word of the shell: ${rest.slice(0, 20)}`)
    word = (word ?? '') + (single ?? escaped ?? bare ?? withVariables(double ?? '', variables))
    rest = rest.slice(piece.length)
  }
  end()
  return words
}

interface CurlRequest {
  readonly url: string
  readonly method: string
  readonly headers: [name: string, value: string][]
  readonly data: string | null
  readonly uploadFile: string | null
  readonly output: string | null
  /** What is printed after the answer. */
  readonly ending: string
}

/** Reads the arguments of curl. */
const readArguments = (given: readonly string[]): CurlRequest => {
  const words = [...given]
  const found = new Map<string, string>()
  const headers: [name: string, value: string][] = []
  let doesFail = false
  while (words.length > 0) {
    const word = words.shift() ?? ''
    if (word === '--fail-with-body') {
      doesFail = true
      continue
    }
    const name = word.startsWith('--') ? word : 'url'
    if (!['url', '--request', '--header', '--data', '--upload-file', '--output', '--write-out'].includes(name))
      throw new Error(`an option that is not known: ${word}`)
    const value = name === 'url' ? word : words.shift()
    if (value === undefined) throw new Error(`${word} has no value`)
    if (name === '--header') {
      const [, header = '', content = ''] = /^([\w-]+): (.+)$/.exec(value) ?? []
      if (header === '') throw new Error(`not a header: ${value}`)
      headers.push([header, content])
    } else if (found.has(name)) throw new Error(`${name} stands there twice`)
    else found.set(name, value)
  }
  const url = found.get('url')
  if (url === undefined || !doesFail) throw new Error('no address, or an error would look like success')
  const [data, uploadFile] = [found.get('--data') ?? null, found.get('--upload-file') ?? null]
  const implied = data === null ? (uploadFile === null ? 'GET' : 'PUT') : 'POST'
  const method = found.get('--request') ?? implied
  const ending = (found.get('--write-out') ?? '').replaceAll(String.raw`\n`, '\n')
  return { url, method, headers, data, uploadFile, output: found.get('--output') ?? null, ending }
}

export const readCurl = (command: string, variables: Variables): CurlRequest => {
  const [program, ...words] = shellWords(command, variables)
  if (program !== 'curl') throw new Error(`${program} is not curl`)
  return readArguments(words)
}

const send = async (request: CurlRequest, folder: string): Promise<string> => {
  const { url, method, headers, data, uploadFile, output, ending } = request
  const body = uploadFile === null ? data : await readFile(join(folder, uploadFile))
  const answer = await fetch(url, { method, headers, body })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(bytes.toString('utf8'))
  if (output === null) return bytes.toString('utf8') + ending
  await writeFile(join(folder, output), bytes)
  return ending
}

/** Carries the command out and returns what it prints. */
export const interpretCurl = (command: string, variables: Variables, folder: string): Promise<string> =>
  send(readCurl(command, variables), folder)

/** The same of arguments that a shell has read already. */
export const carryOutCurl = (words: readonly string[], folder: string): Promise<string> =>
  send(readArguments(words), folder)
