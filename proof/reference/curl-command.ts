/** Curl command: stands in for curl where none is installed. It knows what the examples of the reference use and no more. */
import { readFile, writeFile } from 'node:fs/promises'

const OPTIONS = ['--request', '--header', '--data', '--upload-file', '--output', '--write-out']

const words = process.argv.slice(2)
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
  if (name !== 'url' && !OPTIONS.includes(name)) throw new Error(`an option that is not known: ${word}`)
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
const [data, file, output] = [found.get('--data'), found.get('--upload-file'), found.get('--output')]
const implied = data === undefined ? (file === undefined ? 'GET' : 'PUT') : 'POST'
const body = file === undefined ? (data ?? null) : await readFile(file)
const answer = await fetch(url, { method: found.get('--request') ?? implied, headers, body })
const bytes = Buffer.from(await answer.arrayBuffer())
if (!answer.ok) throw new Error(bytes.toString('utf8'))
if (output === undefined) process.stdout.write(bytes)
else await writeFile(output, bytes)
process.stdout.write((found.get('--write-out') ?? '').replaceAll(String.raw`\n`, '\n'))
