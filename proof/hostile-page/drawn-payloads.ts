/** Drawn payloads: every payload in a document of the server, compared with the same document around harmless texts. */
import type { Page } from '@playwright/test'
import type { PageBuild } from '../../server/http/page-build.ts'
import { shapesOf, type DrawnText } from './document-shape.ts'
import { payloadFields, type Draw } from './payload-fields.ts'
import { wordsOf } from './payload-parts.ts'

/** Every kind of value that a field understands, so that every template a text can choose is known. */
const HARMLESS = [
  '',
  ' ',
  'a'.repeat(3000),
  ...wordsOf(`Sencha https://harmless.example/x.png data:image/png;base64,AAAA #112233 5 2026-12-01 ja th serif
    test complete refunded error failed cancelled visa`),
]
/** A list of brands draws a logo for each. */
const BRAND_LISTS = Array.from({ length: 12 }, (_, count) =>
  Array.from({ length: count + 1 }, (_name, at) => `brand${at}`).join(),
)
const MARKER = 'HarmlessMarker'
const BATCH = 500

export const drawPayloads = async (
  page: Page,
  build: PageBuild,
  payloads: readonly string[],
  told: (count: number) => void,
) => {
  const fields = [...(await payloadFields(build))]
  // The style sheet is the same in each and half of its bytes.
  const draw = async (field: Draw, text: string): Promise<DrawnText> => ({
    html: (await field(text)).replace(build.style.first, '').replace(build.style.later, ''),
    text,
  })
  const templates = new Map<string, Set<string>>()
  const marked = new Map<string, string>()
  for (const [name, field] of fields) {
    const drawn = []
    const harmless = name.includes('brand') ? [...HARMLESS, ...BRAND_LISTS] : HARMLESS
    for (const text of harmless) drawn.push(await draw(field, text))
    templates.set(name, new Set((await shapesOf(page, drawn)).map(({ shape }) => shape)))
    marked.set(name, (await draw(field, MARKER)).html)
  }
  const faults: string[] = []
  /** Payloads that can be found in their document again, as text. */
  let shown = 0
  /** The control: the same payloads put into the same documents without escaping. */
  let changedWithoutEscaping = 0
  for (let at = 0; at < payloads.length; at += BATCH) {
    const names: string[] = []
    const drawn: DrawnText[] = []
    const unescaped: DrawnText[] = []
    for (const [place, text] of payloads.slice(at, at + BATCH).entries()) {
      const [name, field] = fields[(at + place) % fields.length] ?? []
      if (name === undefined || field === undefined) throw new Error('there is no field')
      names.push(name)
      drawn.push(await draw(field, text))
      unescaped.push({ html: (marked.get(name) ?? '').replace(MARKER, () => text), text })
    }
    const isKnown = (place: number, shape: string): boolean => templates.get(names[place] ?? '')?.has(shape) === true
    for (const [place, { shape, faults: found, isShown }] of (await shapesOf(page, drawn)).entries()) {
      const payload = JSON.stringify(drawn[place]?.text)
      if (!isKnown(place, shape)) faults.push(`${names[place]}: another tree for ${payload}`)
      faults.push(...found.map((fault) => `${names[place]}: ${fault} for ${payload}`))
      if (isShown) shown += 1
    }
    for (const [place, { shape, faults: found }] of (await shapesOf(page, unescaped)).entries())
      if (!isKnown(place, shape) || found.length > 0) changedWithoutEscaping += 1
    told(at + drawn.length)
  }
  return { payloads: payloads.length, fields: fields.length, shown, faults, changedWithoutEscaping }
}
