/** About and privacy page, on the bare base host: the footer leads here unless the operator set its own. */
import { withLineBreaks } from '#contract/line-breaks.ts'
import { localeLabel, PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { ABOUT_PAGES, aboutPageWords, type AboutPage } from './about-page-words.ts'

const STYLE = `
*, *::before { box-sizing: border-box; }
body { margin: 0; background: #f6f7f9; color: #14181f; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
:lang(ko), h1, h2, nav { word-break: keep-all; }
main { max-width: 600px; margin: 32px auto; padding: 32px 24px; border-radius: 16px; background: #fff;
  box-shadow: 0 1px 2px rgb(0 0 0 / 6%), 0 8px 24px rgb(0 0 0 / 6%); }
header { color: #566070; font-size: 0.875rem; font-weight: 600; }
h1 { margin: 4px 0 0; font-size: 1.5rem; line-height: 1.3; text-wrap: balance; }
h2 { margin: 24px 0 0; font-size: 1rem; text-wrap: balance; }
p { margin: 4px 0 0; }
nav { display: flex; flex-wrap: wrap; gap: 0 16px; margin-top: 32px; padding-top: 16px; border-top: 1px solid #e4e7ec; font-size: 0.875rem; }
nav + nav { margin-top: 12px; }
a { padding: 8px 0; color: #566070; text-underline-offset: 3px; }
a[aria-current] { color: #14181f; font-weight: 600; text-decoration: none; }
a:focus-visible { outline: 3px solid #14181f; outline-offset: 2px; }
@media (max-width: 631px) { main { margin: 0; border-radius: 0; box-shadow: none; min-height: 100vh; } }`

const link = (path: string, locale: PageLocale, text: string, isCurrent: boolean): string =>
  `<a href="${path}?locale=${locale}" hreflang="${locale}"${isCurrent ? ' aria-current="page"' : ''}>${text}</a>`

export const drawAboutPage = (page: AboutPage, locale: PageLocale, nonce: string): string => {
  const words = aboutPageWords[locale]
  const { title, sections } = words[page]
  const drawn = Object.entries(sections).map(
    ([heading, text]) => `<h2>${withLineBreaks(heading, locale)}</h2>\n<p>${text}</p>`,
  )
  const pages = ABOUT_PAGES.map((other) =>
    link(`/${other}`, locale, withLineBreaks(words[other].title, locale), other === page),
  )
  const languages = PAGE_LOCALES.map((other) =>
    link(`/${page}`, other, `<span lang="${other}">${localeLabel(other)}</span>`, other === locale),
  )
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<title>${title} | Kaikei</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<header>Kaikei</header>
<h1>${withLineBreaks(title, locale)}</h1>
${drawn.join('\n')}
<nav aria-label="Kaikei">${pages.join('\n')}</nav>
<nav aria-label="${words.languages}">${languages.join('\n')}</nav>
</main>
</body>
</html>
`
}
