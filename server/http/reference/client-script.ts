/**
 * What the reference page runs in a browser: search, copy, "you are here", one language for all examples. Each function is sent as
 * its own text, so nothing outside its braces exists there. The page is whole without them.
 */
import { createHash } from 'node:crypto'

/** Finds calls, basics, objects and errors by words in their sections. What is typed is short, and so is what is listed. */
const search = (): void => {
  const WORDS_MAX = 8
  const SHOWN_MAX = 30
  const EXCERPT_MAX = 100
  const box = document.querySelector<HTMLElement>('.search')
  const input = document.querySelector<HTMLInputElement>('#search')
  const status = document.querySelector('#found')
  const list = document.querySelector('#results')
  const contents = document.querySelector('details')
  if (box === null || input === null || status === null || list === null || contents === null) return

  const readSections = () =>
    [...contents.querySelectorAll('a')].map((link) => {
      const section = document.getElementById(link.hash.slice(1))
      const address = section?.querySelector('.address code')?.textContent ?? ''
      // Paragraphs and fields; the texts of examples hold the same names once more.
      const texts = [...(section?.querySelectorAll('p, li, tbody tr') ?? [])].map((part) =>
        [...part.childNodes].map((node) => node.textContent).join(' '),
      )
      return {
        link,
        title: `${link.textContent} ${link.hash} ${address}`.toLowerCase(),
        parts: texts.map((text) => ({ text, lower: text.toLowerCase() })),
      }
    })
  // Read when somebody searches, once: whoever only reads does not wait for it.
  let sections: ReturnType<typeof readSections> | undefined

  /** How well the words are found: in the title, in one paragraph or field, somewhere, nowhere. With what to show of it. */
  const judge = ({ title, parts }: ReturnType<typeof readSections>[number], words: readonly string[]) => {
    const isIn = (text: string): boolean => words.every((word) => text.includes(word))
    if (isIn(title)) return { rank: 0, excerpt: '' }
    const whole = parts.find(({ lower }) => isIn(lower))
    if (whole !== undefined) return { rank: 1, excerpt: whole.text }
    if (!isIn([title, ...parts.map(({ lower }) => lower)].join(' '))) return undefined
    return { rank: 2, excerpt: parts.find(({ lower }) => words.some((word) => lower.includes(word)))?.text ?? '' }
  }

  const draw = (): void => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean).slice(0, WORDS_MAX)
    contents.hidden = words.length > 0
    list.replaceChildren()
    status.textContent = ''
    if (words.length === 0) return
    sections ??= readSections()
    const ordered = sections
      .flatMap((section) => {
        const found = judge(section, words)
        return found === undefined ? [] : [{ link: section.link, ...found }]
      })
      .toSorted((one, other) => one.rank - other.rank)
    for (const { link, excerpt } of ordered.slice(0, SHOWN_MAX)) {
      const item = document.createElement('li')
      const leading = document.createElement('a')
      leading.href = link.hash
      leading.append(...[...link.childNodes].map((node) => node.cloneNode(true)))
      const where = document.createElement('small')
      where.textContent = excerpt.length > EXCERPT_MAX ? `${excerpt.slice(0, EXCERPT_MAX)}…` : excerpt
      if (excerpt !== '') leading.append(where)
      item.append(leading)
      list.append(item)
    }
    const shown = ordered.length > SHOWN_MAX ? `, the first ${SHOWN_MAX} shown` : ''
    status.textContent = ordered.length === 0 ? 'Nothing found.' : `${ordered.length} found${shown}.`
  }

  input.addEventListener('input', draw)
  // Arrows lead through what was found, Enter to the first, Escape back to the contents.
  box.addEventListener('keydown', (event) => {
    const stops: HTMLElement[] = [input, ...list.querySelectorAll('a')]
    const at = stops.findIndex((stop) => stop === document.activeElement)
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') stops[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
    else if (event.key === 'Enter' && at === 0 && !event.isComposing) stops[1]?.click()
    else if (event.key === 'Escape') {
      input.value = ''
      draw()
      input.focus()
    } else return
    // Enter on a link is the link's own.
    if (event.key !== 'Enter') event.preventDefault()
  })
  box.hidden = false
  // A browser may bring back what was typed before.
  draw()
}

/** Puts a button beside every text; over plain http a browser has no clipboard, and there are no buttons. */
const copy = (): void => {
  const SAID_MS = 2000
  const status = document.querySelector('#copied')
  if (status === null || !('clipboard' in navigator)) return
  for (const figure of document.querySelectorAll('figure')) {
    const name = figure.getAttribute('aria-label') ?? ''
    const source = figure.querySelector('code')?.textContent ?? ''
    const button = document.createElement('button')
    const say = (word: string): void => {
      button.textContent = word
      button.setAttribute('aria-label', `${word}: ${name}`)
    }
    const tell = (word: string): void => {
      say(word)
      status.textContent = `${word}: ${name}`
      setTimeout(() => say('Copy'), SAID_MS)
    }
    button.type = 'button'
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(source).then(
        () => tell('Copied'),
        () => tell('Not allowed'),
      )
    })
    say('Copy')
    figure.querySelector('figcaption')?.append(button)
  }
}

/** Marks the section that is read in the contents, and keeps its link in view. */
const showPlace = (): void => {
  const nav = document.querySelector('nav')
  if (nav === null) return
  const links = new Map([...nav.querySelectorAll<HTMLAnchorElement>('details a')].map((link) => [link.hash, link]))
  const inView = new Set<string>()
  let current: HTMLAnchorElement | undefined

  /** At the end of the page the last sections cannot come to its top: there the one that was asked for is meant. */
  const askedAtEnd = (): string | undefined => {
    const { hash } = window.location
    const { scrollHeight } = document.documentElement
    const top = document.getElementById(hash.slice(1))?.getBoundingClientRect().top ?? -1
    const isAtEnd = scrollHeight - window.scrollY - window.innerHeight < 2
    return isAtEnd && top >= 0 && top < window.innerHeight ? hash : undefined
  }

  const mark = (): void => {
    const place = askedAtEnd() ?? [...links.keys()].findLast((hash) => inView.has(hash))
    const link = place === undefined ? undefined : links.get(place)
    if (link === undefined || link === current) return
    current?.removeAttribute('aria-current')
    link.setAttribute('aria-current', 'location')
    current = link
    const [at, around] = [link.getBoundingClientRect(), nav.getBoundingClientRect()]
    if (at.top < around.top || at.bottom > around.bottom) nav.scrollTop += at.top - around.top - around.height / 3
  }

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) inView.add(`#${target.id}`)
        else inView.delete(`#${target.id}`)
      mark()
    },
    { rootMargin: '-5% 0px -90% 0px' },
  )
  for (const hash of links.keys()) {
    const section = document.getElementById(hash.slice(1))
    if (section !== null) observer.observe(section)
  }
  window.addEventListener('hashchange', mark)
}

/** A language that was chosen at one example is chosen at all; what the reader looks at stays where it is. */
const shareLanguage = (): void => {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return
    const { top } = target.getBoundingClientRect()
    for (const input of document.querySelectorAll<HTMLInputElement>('.languages input'))
      if (input.value === target.value) input.checked = true
    window.scrollBy(0, target.getBoundingClientRect().top - top)
  })
}

export const REFERENCE_SCRIPT = [search, copy, showPlace, shareLanguage]
  .map((part) => `(${part.toString()})();`)
  .join('\n')

export const SCRIPT_HASH = `sha256-${createHash('sha256').update(REFERENCE_SCRIPT).digest('base64')}`
