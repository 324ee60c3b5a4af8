/**
 * Pre-hydration script, inline in the head of a document that holds the card form: groups the digits of the card fields from
 * the first key on, until React has loaded. It changes only the values of the fields, which React does not touch; on
 * hydration `kaikei-live` ends it.
 */
import { formatDigitInput, isDigitFormat } from './field-format.ts'

// Hides the words for browsers without scripts.
document.documentElement.dataset['script'] = ''

const formatField = ({ target, type }: Event): void => {
  if (!(target instanceof HTMLInputElement)) return
  const { dataset } = target
  // Writing into a field while an input method composes would commit the half-typed text twice.
  if (type === 'compositionstart') dataset['composing'] = '1'
  if (type === 'compositionend') delete dataset['composing']
  if (dataset['composing'] === undefined && isDigitFormat(dataset['format']))
    formatDigitInput(target, dataset['format'])
}

const untilHydrated = new AbortController()
for (const name of ['compositionstart', 'compositionend', 'input'])
  document.addEventListener(name, formatField, untilHydrated)
document.addEventListener('kaikei-live', () => untilHydrated.abort())
