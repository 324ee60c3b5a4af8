/** Colour field: a colour to pick, and the same as a code to type. */
import { TextField } from '../../forms/text-field.tsx'
import { useWords } from '../../words/language.tsx'
import styles from './colour-field.module.css'
import type { FieldSet } from './field-set.ts'
import { fieldWords } from './field-words.ts'

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

export const ColourField = ({ values, set, problemOf, isReadOnly }: FieldSet) => {
  const words = useWords(fieldWords)
  const { colorCode } = values
  const problem = problemOf('colorCode')
  return (
    <div className={styles['row']}>
      <input
        type="color"
        className={styles['swatch']}
        aria-label={words.pickColour}
        value={isColour(colorCode) ? colorCode.toLowerCase() : '#ffffff'}
        disabled={isReadOnly}
        onChange={(event) => set('colorCode', event.target.value)}
      />
      <TextField
        label={words.fields.colorCode}
        hint={words.hints.colorCode ?? ''}
        value={colorCode}
        onChange={(text) => set('colorCode', text.trim())}
        problem={problem}
        maxLength={7}
        autoComplete="off"
        isDisabled={isReadOnly}
      />
    </div>
  )
}
