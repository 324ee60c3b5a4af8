/** Sent bytes: the size of the document and of the scripts it names, as the program sends them to a client that takes brotli. */
import type { Measures } from './calmest.ts'
import { fetchAsSent } from './program.ts'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }

/** The module script and what is fetched beside it. A script of low priority belongs to what comes later. */
export const firstScripts = (html: string): string[] => {
  const tags = html.match(/<link\b[^>]*\brel="modulepreload"[^>]*>|<script\b[^>]*\bsrc="[^>]*>/g) ?? []
  const addresses = tags
    .filter((tag) => !tag.includes('fetchpriority="low"'))
    .flatMap((tag) => /\b(?:href|src)="([^"]+)"/.exec(tag)?.[1] ?? [])
  return [...new Set(addresses)]
}

export const sentBytes = async (address: string): Promise<Measures> => {
  const document = await fetchAsSent(address)
  const html = (DECODERS[document.encoding]?.(document.body) ?? document.body).toString('utf8')
  let scriptBytes = 0
  for (const script of firstScripts(html)) scriptBytes += (await fetchAsSent(new URL(script, address).href)).body.length
  return { documentBytes: document.body.length, scriptBytes }
}
