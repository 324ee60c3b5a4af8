/** Cookies of the console: the session, and the browser that has asked for a link. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isId } from '../../ids.ts'

export type ConsoleCookie = 'session' | 'browser'

/**
 * With the prefix `__Host-` no host beside the console's can set it (RFC 6265bis, section 4.1.3). Without TLS, on loopback
 * alone, not every browser keeps such a cookie.
 */
const nameOf = (cookie: ConsoleCookie, base: URL): string =>
  `${base.protocol === 'https:' ? '__Host-' : ''}kaikei-${cookie}`

/** What the browser has sent; null: nothing that can be ours. Two of one name are none: another host may have set the second. */
export const readCookie = ({ headers }: FastifyRequest, cookie: ConsoleCookie, base: URL): string | null => {
  const start = `${nameOf(cookie, base)}=`
  const sent = (headers.cookie ?? '').split(';').flatMap((part) => {
    const text = part.trim()
    return text.startsWith(start) ? [text.slice(start.length)] : []
  })
  const [value] = sent
  return value !== undefined && sent.length === 1 && isId(value) ? value : null
}

const attributes = (base: URL): string =>
  `Path=/; HttpOnly; SameSite=Strict${base.protocol === 'https:' ? '; Secure' : ''}`

/** It lasts until the browser is closed; the server ends it earlier. */
export const setCookie = (reply: FastifyReply, cookie: ConsoleCookie, value: string, base: URL): FastifyReply =>
  reply.header('set-cookie', `${nameOf(cookie, base)}=${value}; ${attributes(base)}`)

export const clearCookie = (reply: FastifyReply, cookie: ConsoleCookie, base: URL): FastifyReply =>
  reply.header('set-cookie', `${nameOf(cookie, base)}=; Max-Age=0; ${attributes(base)}`)
