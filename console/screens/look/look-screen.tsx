/** Look screen: the settings of the shop beside a live preview of its page. Owners change them; others read them. */
import { useState } from 'react'
import { Button } from '../../forms/button.tsx'
import { hasRole } from '#contract/console/roles.ts'
import { FailureNotice, Notice } from '../../forms/notice.tsx'
import { useShop } from '../../session/session.tsx'
import { Screen } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { draftedSettings, isChanged, withChange } from './draft.ts'
import { fieldProblems } from './field-problems.ts'
import type { FieldSet } from './field-set.ts'
import { fieldWords } from './field-words.ts'
import { LookFields } from './look-fields.tsx'
import styles from './look-screen.module.css'
import { PreviewPanel } from './preview-panel.tsx'
import { useDraft, type EditedDraft } from './use-draft.ts'
import { lookWords } from './words.ts'

const VIEWS = ['edit', 'preview'] as const
type View = (typeof VIEWS)[number]

/** On a phone one of the two is shown at a time. */
const ViewSwitch = ({ view, onChange }: { readonly view: View; onChange(view: View): void }) => {
  const words = useWords(lookWords)
  return (
    <div className={styles['views']}>
      {VIEWS.map((each) => (
        <button
          key={each}
          type="button"
          className={styles['view']}
          aria-pressed={each === view}
          onClick={() => onChange(each)}
        >
          {words[each]}
        </button>
      ))}
    </div>
  )
}

interface SaveBarProps {
  readonly edited: EditedDraft
  readonly hasProblems: boolean
}

const SaveBar = ({ edited: { draft, save, discard, isSaving }, hasProblems }: SaveBarProps) => {
  const words = useWords(lookWords)
  const shared = useWords(sharedWords)
  const toast = useToast()
  const count = Object.keys(draft.changes).length + Object.keys(draft.pictures).length
  return (
    <div className={styles['bar']}>
      <p className={styles['unsaved']} role="status">
        {words.unsaved(count)}
      </p>
      <div className={styles['actions']}>
        <Button
          kind="primary"
          type="submit"
          busy={isSaving}
          disabled={hasProblems || draft.disputed.length > 0}
          onClick={() => save(() => toast(shared.saved))}
        >
          {shared.save}
        </Button>
        <Button kind="secondary" type="button" disabled={isSaving} onClick={discard}>
          {words.discard}
        </Button>
      </div>
    </div>
  )
}

const LookEditor = ({ edited }: { readonly edited: EditedDraft }) => {
  const words = useWords(lookWords)
  const { problems: problemWords } = useWords(fieldWords)
  const isReadOnly = !hasRole(useShop().role, 'owner')
  const [view, setView] = useState<View>('edit')
  const { draft, change, refused } = edited
  const settings = draftedSettings(draft)
  const problems = fieldProblems(draft, refused)
  const fields: FieldSet = {
    values: settings,
    set: (name, value) => change((now) => withChange(now, name, value)),
    problemOf: (name) => (problems.has(name) ? problemWords[name] : undefined),
    isReadOnly,
  }
  // A colour that is half typed is none: the page would show its own.
  const shown = problems.has('colorCode') ? { ...settings, colorCode: draft.base.settings.colorCode } : settings
  // What is disputed is kept with the draft while other screens are looked at.
  const isConflict = refused?.failure.code === 'settings_changed' || draft.disputed.length > 0
  return (
    <form className={styles['editor']} noValidate onSubmit={(event) => event.preventDefault()}>
      {isReadOnly ? (
        <Notice kind="info">
          <p>{words.readOnly}</p>
        </Notice>
      ) : null}
      {isConflict && isChanged(draft) ? <ConflictNotice draft={draft} onChange={change} /> : null}
      <ViewSwitch view={view} onChange={setView} />
      <div className={styles['columns']} data-view={view}>
        <div className={styles['edit']}>
          <LookFields edited={edited} fields={fields} />
        </div>
        <div className={styles['preview']}>
          <PreviewPanel settings={shown} />
        </div>
      </div>
      {refused?.part === 'fields' && !isConflict ? <FailureNotice failure={refused.failure} /> : null}
      {isChanged(draft) ? <SaveBar edited={edited} hasProblems={problems.size > 0} /> : null}
    </form>
  )
}

export const LookScreen = () => {
  const words = useWords(lookWords)
  const reading = useDraft()
  return (
    <Screen title={words.title}>
      <Reading of={reading}>{(edited) => <LookEditor edited={edited} />}</Reading>
    </Screen>
  )
}
