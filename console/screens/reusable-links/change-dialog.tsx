/** Change dialog: the limit and the end of a reusable link. */
import { useState } from 'react'
import { DAY_MS, jstDate } from '#contract/jst.ts'
import {
  changeReusableLink,
  LINK_VALIDITY_YEARS_MAX,
  type ReusableLinkAnswer,
} from '#contract/merchant/reusable-links.ts'
import { DayField } from '../../forms/day-field.tsx'
import { Dialog } from '../../forms/dialog.tsx'
import { Form, SubmitButtons } from '../../forms/form.tsx'
import { readCount } from '../../forms/read-count.ts'
import { TextField } from '../../forms/text-field.tsx'
import { useAction, useSend } from '../../session/use-calls.ts'
import { Explanation } from '../../shell/screen.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { changeOf, limitsOf, type LinkLimits } from './limits.ts'
import { linksWords } from './words.ts'

interface ChangeDialogProps {
  readonly link: ReusableLinkAnswer
  onClose(): void
  onChanged(): Promise<unknown>
}

export const ChangeDialog = ({ link, onClose, onChanged }: ChangeDialogProps) => {
  const [words, shared] = [useWords(linksWords), useWords(sharedWords)]
  const [send, toast] = [useSend(), useToast()]
  const before = limitsOf(link)
  const [limits, setLimits] = useState<LinkLimits>(before)
  const [now] = useState(() => Date.now())
  const change = changeOf(before, limits)
  const saving = useAction(
    (body: NonNullable<typeof change>) => send(changeReusableLink, { params: { linkId: link.id }, body }),
    async () => {
      await onChanged()
      toast(shared.saved)
      onClose()
    },
  )
  const today = jstDate(now)
  return (
    <Dialog title={words.changeTitle} isOpen onClose={onClose}>
      <Explanation>{words.changeLead}</Explanation>
      <Form
        onSubmit={() => {
          if (change !== null) saving.run(change)
        }}
        failure={saving.failure}
        actions={<SubmitButtons label={shared.save} isRunning={saving.isRunning} isDisabled={change === null} />}
      >
        <TextField
          label={words.limit}
          value={limits.maxPayments}
          onChange={(maxPayments) => setLimits({ ...limits, maxPayments })}
          hint={words.limitHint}
          inputMode="numeric"
          maxLength={10}
          problem={readCount(limits.maxPayments) === undefined ? words.limitProblem : undefined}
        />
        <DayField
          label={words.until}
          value={limits.until}
          onChange={(until) => setLimits({ ...limits, until })}
          // An end that has passed stays as it is until somebody changes it.
          first={before.until !== null && before.until < today ? before.until : today}
          last={jstDate(now + (LINK_VALIDITY_YEARS_MAX * 365 - 1) * DAY_MS)}
          hint={words.untilHint}
        />
      </Form>
    </Dialog>
  )
}
