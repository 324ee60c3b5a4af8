import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutLineBreaks } from '#contract/line-breaks.ts'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { ABOUT_PAGES, aboutPageWords, type AboutPage } from './about-page-words.ts'
import { drawAboutPage } from './about-pages.ts'
import { readPageBuild } from '../page-build.ts'
import { gatewayNotConfigured } from '../../gateways/not-configured.ts'
import { openTestServer } from '../../../proof/harness/test-server.ts'

const textsOf = (page: AboutPage, locale: PageLocale): string[] => {
  const { title, sections } = aboutPageWords[locale][page]
  return [title, ...Object.entries(sections).flat()]
}

test('about and privacy are drawn whole in six languages, each with the links to the other page and the other languages', () => {
  for (const page of ABOUT_PAGES) {
    for (const locale of PAGE_LOCALES) {
      const html = withoutLineBreaks(drawAboutPage(page, locale, 'NONCE'))
      assert.match(html, new RegExp(`^<!doctype html>\n<html lang="${locale}">`))
      for (const text of textsOf(page, locale)) assert.ok(html.includes(`>${text}<`), `${page} ${locale}: ${text}`)
      for (const other of PAGE_LOCALES) assert.ok(html.includes(`href="/${page}?locale=${other}"`), other)
      for (const other of ABOUT_PAGES) assert.ok(html.includes(`href="/${other}?locale=${locale}"`), other)
      assert.match(html, /<style nonce="NONCE">/)
    }
  }
})

test('every language says as much as English, in words of its own', () => {
  for (const page of ABOUT_PAGES) {
    const english = textsOf(page, 'en-US')
    for (const locale of PAGE_LOCALES.filter((name) => name !== 'en-US')) {
      const texts = textsOf(page, locale)
      assert.equal(texts.length, english.length, locale)
      for (const text of texts) assert.ok(text !== '' && !english.includes(text), `${locale}: ${text}`)
    }
  }
})

test('the privacy page names the fifteen minutes of a card number, the day of an IP address and who gets it, and no page speaks of what an operator has left undone', () => {
  for (const locale of PAGE_LOCALES) {
    assert.match(textsOf('privacy', locale).join(' '), /15/, locale)
    const [, kept, received] = Object.values(aboutPageWords[locale].privacy.sections)
    assert.match(kept ?? '', /IP.*1\s?(日|일|天|วัน)|IP address.*one day/, locale)
    assert.match(received ?? '', /IP/, locale)
    assert.doesNotMatch(drawAboutPage('privacy', locale, 'NONCE'), /operator|<\/?script|undefined/, locale)
  }
})

test('the base host answers both pages, in the language asked for, else the browser’s; a merchant’s host has neither', async () => {
  const server = await openTestServer({ gateway: gatewayNotConfigured, build: await readPageBuild() })
  const get = async (url: string, host: string): Promise<string> => {
    const headers = { host, 'accept-language': 'th-TH,th;q=0.9' }
    const { statusCode, body } = await server.app.inject({ method: 'GET', url, headers })
    return withoutLineBreaks(`${statusCode} ${/<h1.*?>(.*?)<\/h1>/.exec(body)?.[1] ?? ''}`)
  }
  assert.equal(await get('/privacy?locale=ko', 'localhost:3000'), `200 ${aboutPageWords.ko.privacy.title}`)
  assert.equal(await get('/privacy', 'localhost:3000'), `200 ${aboutPageWords.th.privacy.title}`)
  assert.equal(await get('/about?locale=ja', 'localhost:3000'), `200 ${aboutPageWords.ja.about.title}`)
  assert.equal(await get('/', 'localhost:3000'), `200 ${aboutPageWords.th.about.title}`)
  for (const url of ['/privacy', '/about', '/']) assert.match(await get(url, 'tea.localhost:3000'), /^404 404 /, url)
})
