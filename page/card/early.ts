import { isDigitFormat, settleDigits } from './digits.ts'

/**
 * Runs inline in the document, before React has arrived: digits are grouped from the first key on. It touches nothing but
 * the values of the fields, which React leaves alone; hydration then takes them over and sends `kaikei-live`.
 */
const settle = ({ target, type }: Event): void => {
  if (!(target instanceof HTMLInputElement)) return
  const { dataset } = target
  // Writing into a field while an input method composes would commit the half-typed text twice.
  if (type === 'compositionstart') dataset['composing'] = '1'
  if (type === 'compositionend') delete dataset['composing']
  if (dataset['composing'] === undefined && isDigitFormat(dataset['format'])) settleDigits(target, dataset['format'])
}

const untilLive = new AbortController()
for (const name of ['compositionstart', 'compositionend', 'input']) document.addEventListener(name, settle, untilLive)
document.addEventListener('kaikei-live', () => untilLive.abort())
