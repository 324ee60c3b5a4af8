/** Example texts: one example call written for curl, TypeScript and PHP, from the same data. */
import type { AnyMerchantCall } from '#contract/merchant/api.ts'
import type { Json } from './json.ts'
import type { Example } from './note.ts'

/** Variables of the environment that the texts read. */
export const VARIABLES = {
  KAIKEI_URL: 'the base address of the API',
  KAIKEI_KEY: 'your API key',
  CHECKOUT_ID: 'the id of one of your checkouts',
  LINK_ID: 'the id of one of your reusable links',
  WEBHOOK_ID: 'the id of one of your webhooks',
  EVENT_ID: 'the id of one of your events',
} as const

/** The request that all texts write. A value such as `$CHECKOUT_ID` is a variable of the environment. */
interface Request {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly example: Example
}

const pathOf = (path: string, values: Example['path'] = {}): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the example of ${path} has no ${name}`)
    return value.startsWith('$') ? value : encodeURIComponent(value)
  })

const requestOf = ({ method, path }: Pick<AnyMerchantCall, 'method' | 'path'>, example: Example): Request => {
  const query = new URLSearchParams({ ...example.query }).toString()
  const { upload, body } = example
  return {
    method,
    url: `$KAIKEI_URL${pathOf(path, example.path)}${query === '' ? '' : `?${query}`}`,
    headers: [
      ['Authorization', 'Bearer $KAIKEI_KEY'],
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ...(upload === undefined ? [] : [['Content-Type', upload.type] as const]),
      ...Object.entries(example.headers ?? {}),
    ],
    example,
  }
}

const VARIABLE = /\$([A-Z][A-Z_]*)/g

/** Between single quotes the shell takes everything as it is, but cannot hold a single quote. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Between double quotes it puts variables in; whatever else it would look at is not in our examples. */
const shellWithVariables = (text: string): string => {
  if (/["`\\]|\$(?![A-Z])/.test(text)) throw new Error(`cannot be written for a shell: ${text}`)
  return `"${text}"`
}

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

type ExampleText = (call: Pick<AnyMerchantCall, 'method' | 'path'>, example: Example) => string

/** A printed answer ends with a line break: otherwise the next command would be typed behind it. */
export const curlText: ExampleText = (call, example) => {
  const { method, url, headers } = requestOf(call, example)
  const { body, upload, saveAs } = example
  const lines = [
    `curl --fail-with-body${saveAs === undefined ? String.raw` --write-out '\n'` : ''}`,
    shellWithVariables(url),
    ...(method === 'GET' ? [] : [`--request ${method}`]),
    ...headers.map(([name, value]) => `--header ${shellWithVariables(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${indented(shellQuoted(JSON.stringify(body, null, 2)), '  ')}`]),
    ...(upload === undefined ? [] : [`--upload-file ${upload.name}`]),
    ...(saveAs === undefined ? [] : [`--output ${saveAs}`]),
  ]
  return lines.join(' \\\n  ')
}

/** TypeScript and PHP read it alike. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`

const withVariables = (text: string): string =>
  text.includes('$') ? `\`${text.replaceAll(VARIABLE, '${$1}')}\`` : quoted(text)

const nameOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name))

/** How a language writes the objects of JSON. */
interface Notation {
  readonly indent: string
  readonly open: string
  readonly close: string
  readonly emptyObject: string
  entry(name: string, value: string): string
}

const TYPESCRIPT: Notation = {
  indent: '  ',
  open: '{ ',
  close: ' }',
  emptyObject: '{}',
  entry: (name, value) => `${nameOf(name)}: ${value}`,
}

const PHP: Notation = {
  indent: '    ',
  open: '[',
  close: ']',
  // An array without names would be sent as a list.
  emptyObject: 'new stdClass()',
  entry: (name, value) => {
    if (/^\d+$/.test(name)) throw new Error(`PHP would send an object with the name ${name} as a list`)
    return `${quoted(name)} => ${value}`
  },
}

/** Longer ones are broken into lines: with name and indent they fit into the reference at 1280 px. */
const LINE_MAX = 44

/** JSON as a programmer writes it. */
const literal = (value: Json, notation: Notation): string => {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((each: Json) => literal(each, notation))
    : Object.entries(value).map(([name, each]) => notation.entry(name, literal(each, notation)))
  if (parts.length === 0) return isList ? '[]' : notation.emptyObject
  const [open, close] = isList ? ['[', ']'] : [notation.open, notation.close]
  const line = `${open}${parts.join(', ')}${close}`
  if (line.length <= LINE_MAX && !line.includes('\n')) return line
  const { indent } = notation
  return `${open.trim()}\n${parts.map((part) => `${indent}${indented(part, indent)},\n`).join('')}${close.trim()}`
}

export const typescriptText: ExampleText = (call, example) => {
  const { method, url, headers } = requestOf(call, example)
  const { body, upload, saveAs } = example
  const used = [...new Set([url, ...headers.map(([, value]) => value)].join(' ').match(VARIABLE))]
  const files = [...(upload === undefined ? [] : ['readFile']), ...(saveAs === undefined ? [] : ['writeFile'])]
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)},`]),
    'headers: {',
    ...headers.map(([name, value]) => `  ${nameOf(name)}: ${withVariables(value)},`),
    '},',
    ...(body === undefined ? [] : [`body: JSON.stringify(${literal(body, TYPESCRIPT)}),`]),
    ...(upload === undefined ? [] : [`body: await readFile(${quoted(upload.name)}),`]),
  ]
  const lines = [
    ...(files.length === 0 ? [] : [`import { ${files.join(', ')} } from 'node:fs/promises'`]),
    "import { env } from 'node:process'",
    '',
    `const { ${used.map((name) => name.slice(1)).join(', ')} } = env`,
    '',
    `const answer = await fetch(${withVariables(url)}, {`,
    ...options.map((line) => `  ${indented(line, '  ')}`),
    '})',
    'if (!answer.ok) throw new Error(await answer.text())',
    saveAs === undefined
      ? 'console.log(JSON.stringify(await answer.json(), null, 2))'
      : `await writeFile(${quoted(saveAs)}, Buffer.from(await answer.arrayBuffer()))`,
  ]
  return lines.join('\n')
}

/** A text with variables as texts and calls of `getenv`, side by side. */
const phpWithVariables = (text: string): string =>
  text
    .split(/(\$[A-Z][A-Z_]*)/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('$') ? `getenv(${quoted(part.slice(1))})` : quoted(part)))
    .join(' . ')

/** With the functions of PHP's own curl extension: a shop has them, and no library to choose. */
export const phpText: ExampleText = (call, example) => {
  const { method, url, headers } = requestOf(call, example)
  const { body, upload, saveAs } = example
  const options = [
    ...(method === 'GET' ? [] : [`CURLOPT_CUSTOMREQUEST => ${quoted(method)},`]),
    'CURLOPT_HTTPHEADER => [',
    ...headers.map(([name, value]) => `    ${phpWithVariables(`${name}: ${value}`)},`),
    '],',
    ...(body === undefined ? [] : [`CURLOPT_POSTFIELDS => json_encode(${literal(body, PHP)}),`]),
    ...(upload === undefined ? [] : [`CURLOPT_POSTFIELDS => file_get_contents(${quoted(upload.name)}),`]),
    'CURLOPT_RETURNTRANSFER => true,',
  ]
  const lines = [
    '<?php',
    `$call = curl_init(${phpWithVariables(url)});`,
    'curl_setopt_array($call, [',
    ...options.map((line) => `    ${indented(line, '    ')}`),
    ']);',
    '$answer = curl_exec($call);',
    'if ($answer === false) {',
    '    throw new RuntimeException(curl_error($call));',
    '}',
    '$status = curl_getinfo($call, CURLINFO_RESPONSE_CODE);',
    'if ($status >= 400) {',
    '    throw new RuntimeException($answer);',
    '}',
    saveAs === undefined ? String.raw`echo $answer, "\n";` : `file_put_contents(${quoted(saveAs)}, $answer);`,
  ]
  return lines.join('\n')
}
