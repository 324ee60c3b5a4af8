/** Conflict notice: somebody else has changed the settings meanwhile; the person decides field by field. */
import type { SettingsFields } from '#contract/merchant/settings.ts'
import { Button } from '../../forms/button.tsx'
import { Notice } from '../../forms/notice.tsx'
import { useWords } from '../../words/language.tsx'
import styles from './conflict-notice.module.css'
import { decided, type Draft } from './draft.ts'
import { fieldWords } from './field-words.ts'
import { lookWords } from './words.ts'

type Value = SettingsFields[keyof SettingsFields] | undefined

/** A value as one line. */
const useValueText = (): ((value: Value) => string) => {
  const { none, yes, no } = useWords(lookWords)
  const textOf = (value: Value): string => {
    if (value === undefined || value === null || value === '') return none
    if (typeof value === 'boolean') return value ? yes : no
    if (typeof value === 'string') return value
    if (Array.isArray(value)) return value.length === 0 ? none : value.join(', ')
    return Object.values(value).map(textOf).join(', ')
  }
  return textOf
}

interface ConflictNoticeProps {
  readonly draft: Draft
  onChange(edit: (draft: Draft) => Draft): void
}

export const ConflictNotice = ({ draft, onChange }: ConflictNoticeProps) => {
  const words = useWords(lookWords)
  const { fields } = useWords(fieldWords)
  const textOf = useValueText()
  const { disputed, changes, base } = draft
  return (
    <Notice kind="warning">
      <p role="alert">
        <strong>{words.conflictTitle}</strong>
      </p>
      <p>{disputed.length === 0 ? words.conflictMerged : words.conflictText}</p>
      {disputed.length === 0 ? null : (
        <dl className={styles['fields']}>
          {disputed.map((name) => (
            <div key={name} className={styles['field']}>
              <dt>
                <strong>{fields[name]}</strong>
              </dt>
              <dd>{words.mine(textOf(changes[name]))}</dd>
              <dd>{words.theirs(textOf(base.settings[name]))}</dd>
              <dd className={styles['actions']}>
                <Button kind="secondary" type="button" onClick={() => onChange((now) => decided(now, name, 'mine'))}>
                  {words.takeMine(fields[name])}
                </Button>
                <Button kind="secondary" type="button" onClick={() => onChange((now) => decided(now, name, 'theirs'))}>
                  {words.takeTheirs(fields[name])}
                </Button>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Notice>
  )
}
