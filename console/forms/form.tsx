/** Form: fields below each other, what was refused, and its buttons. Enter sends it. */
import { useContext, type ReactNode } from 'react'
import { OverlayTriggerStateContext } from 'react-aria-components'
import { Button } from './button.tsx'
import type { CallFailure } from '../session/api.ts'
import { useWords } from '../words/language.tsx'
import { sharedWords } from '../words/shared-words.ts'
import { useHeldDialog } from './dialog.tsx'
import { FailureNotice } from './notice.tsx'
import styles from './form.module.css'

interface FormProps {
  onSubmit(): void
  readonly failure?: CallFailure | null
  /** The buttons, the first one being the one that sends. */
  readonly actions: ReactNode
  readonly children: ReactNode
}

export const Form = ({ onSubmit, failure = null, actions, children }: FormProps) => (
  <form
    className={styles['form']}
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
    <FailureNotice failure={failure} />
    <div className={styles['actions']}>{actions}</div>
  </form>
)

interface SubmitButtonsProps {
  readonly label: string
  readonly isRunning: boolean
  readonly isDisabled?: boolean
}

/** The button that sends a form; in a dialog, which nobody leaves while it is sent, also the one that leaves it: on a phone there is no Escape. */
export const SubmitButtons = ({ label, isRunning, isDisabled = false }: SubmitButtonsProps) => {
  const { cancel } = useWords(sharedWords)
  const dialog = useContext(OverlayTriggerStateContext)
  useHeldDialog(isRunning)
  return (
    <>
      <Button kind="primary" type="submit" busy={isRunning} disabled={isDisabled}>
        {label}
      </Button>
      {dialog === null ? null : (
        <Button kind="secondary" type="button" onClick={() => dialog.close()} disabled={isRunning}>
          {cancel}
        </Button>
      )}
    </>
  )
}
