/** The draft of a shop's settings: read, changed, saved. It stays while the person looks at other screens. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { removePicture, replacePicture } from '#contract/merchant/pictures.ts'
import { changeSettings } from '#contract/merchant/settings.ts'
import { useApi, type CallFailed } from '../../session/api-context.tsx'
import { useRefreshSession, useShop } from '../../session/session.tsx'
import { sendReadSettings, settingsKey, useReadSettings, type ReadSettings } from '../../session/settings.ts'
import { isChanged, newDraft, withEditsSince, type Draft } from './draft.ts'
import { refusalAfter } from './field-problems.ts'
import { saveDraft, type Saved } from './save-draft.ts'

interface KeptDraft {
  /** Null: nothing is changed. */
  readonly kept: Draft | null
  keep(draft: Draft | null): void
  /** The draft as it is now, which may be another one than that of the last drawing. Null: the person has signed out. */
  read(): Draft | null
}

/** Kept beside what was read, so that it goes with that when the person signs out. */
const useKeptDraft = (label: string): KeptDraft => {
  const queries = useQueryClient()
  const queryKey = ['draft of the settings', label]
  const { data } = useQuery<Draft | null>({
    queryKey,
    queryFn: () => null,
    enabled: false,
    initialData: null,
    gcTime: Infinity,
  })
  return {
    kept: data,
    keep: (draft) => void queries.setQueryData(queryKey, draft),
    read: () => {
      const settings = queries.getQueryData<ReadSettings>(settingsKey({ label }))
      return settings === undefined ? null : (queries.getQueryData<Draft | null>(queryKey) ?? newDraft(settings))
    },
  }
}

/** Closing or reloading the tab would lose it: the browser asks before. */
const useAskBeforeUnload = (isAsking: boolean): void => {
  useEffect(() => {
    if (!isAsking) return undefined
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isAsking])
}

export interface EditedDraft {
  readonly draft: Draft
  /** Of the draft as it is then: a picture is prepared for seconds, while the person goes on. */
  change(edit: (draft: Draft) => Draft): void
  discard(): void
  save(onSaved: () => void): void
  readonly isSaving: boolean
  /** Why the last saving was refused; null: it was not. */
  readonly refused: Saved['refused']
}

interface DraftReading {
  readonly data: EditedDraft | undefined
  readonly error: CallFailed | null
  refetch(): Promise<unknown>
}

export const useDraft = (): DraftReading => {
  const [api, shop] = [useApi(), useShop()]
  const refreshSession = useRefreshSession()
  const { data, error, refetch } = useReadSettings()
  const { kept, keep, read } = useKeptDraft(shop.label)
  const [isSaving, setSaving] = useState(false)
  const [refused, setRefused] = useState<Saved['refused']>(null)
  useAskBeforeUnload(kept !== null)
  if (data === undefined) return { data: undefined, error, refetch }

  const draft = kept ?? newDraft(data)
  const change = (edit: (draft: Draft) => Draft): void => {
    const before = read()
    if (before === null) return
    const after = edit(before)
    keep(isChanged(after) ? after : null)
    setRefused((last) => refusalAfter(last, before, after))
  }
  const save = async (onSaved: () => void): Promise<void> => {
    setSaving(true)
    const { left, refused: why } = await saveDraft(draft, {
      read: () => sendReadSettings(api, shop),
      change: (body, etag) => api.send(changeSettings, { body, headers: { 'if-match': etag } }, shop),
      changePicture: (picture, to) =>
        to === 'removed'
          ? api.send(removePicture, { params: { picture } }, shop)
          : api.send(replacePicture, { params: { picture }, file: to.file }, shop),
    })
    change((now) => withEditsSince(left, draft, now))
    const now = read()
    setRefused(now === null ? null : refusalAfter(why, draft, now))
    await refetch()
    // The console shows the name of the shop.
    await refreshSession()
    setSaving(false)
    if (why === null) onSaved()
  }
  return {
    data: {
      draft,
      change,
      discard: () => {
        setRefused(null)
        keep(null)
      },
      save: (onSaved) => {
        if (!isSaving) void save(onSaved)
      },
      isSaving,
      refused,
    },
    error,
    refetch,
  }
}
