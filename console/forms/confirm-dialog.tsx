/** Confirm dialog: says what will happen and does it when the person agrees. */
import { Button } from './button.tsx'
import type { CallResult } from '../session/api.ts'
import { useAction } from '../session/use-calls.ts'
import { useWords } from '../words/language.tsx'
import { sharedWords } from '../words/shared-words.ts'
import { Dialog } from './dialog.tsx'
import { FailureNotice } from './notice.tsx'

interface ConfirmDialogProps<T> {
  readonly title: string
  readonly text: string
  /** What the button that acts says. */
  readonly action: string
  /** What the other button says; "Cancel" unless given. */
  readonly dismiss?: string
  act(): Promise<CallResult<T>>
  onDone(value: T): void | Promise<void>
  onClose(): void
}

export const ConfirmDialog = <T,>({ title, text, action, dismiss, act, onDone, onClose }: ConfirmDialogProps<T>) => {
  const { cancel } = useWords(sharedWords)
  const acting = useAction(act, onDone)
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      isDismissable={!acting.isRunning}
      role="alertdialog"
      actions={
        <>
          <Button kind="primary" type="button" onClick={acting.run} busy={acting.isRunning}>
            {action}
          </Button>
          <Button kind="secondary" type="button" onClick={onClose} disabled={acting.isRunning}>
            {dismiss ?? cancel}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <FailureNotice failure={acting.failure} />
    </Dialog>
  )
}
