/** Calls in screens: readings through the cache, and actions that are sent once. All of them name the shop of the screen. */
import { useInfiniteQuery, useQuery, type InfiniteData, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { AnswerOf, AnyCall, Api, CallFailure, CallInput, CallResult, ChosenShop } from './api.ts'
import { CallFailed, useApi } from './api-context.tsx'
import { nextReading, type ReadAgain } from './next-reading.ts'
import { useShop } from './session.tsx'

interface ReadOptions<T> {
  /** False: nothing is read yet. */
  readonly enabled?: boolean
  /** Reads again after so many milliseconds, while somebody is at the page. */
  readonly again?: ReadAgain<T>
}

const valueOf = async <T>(result: Promise<CallResult<T>>): Promise<T> => {
  const got = await result
  if (!got.ok) throw new CallFailed(got.failure)
  return got.value
}

const useReadOf = <T>(
  queryKey: readonly unknown[],
  send: (signal: AbortSignal) => Promise<CallResult<T>>,
  { again = false, ...options }: ReadOptions<T>,
): UseQueryResult<T> =>
  useQuery({
    queryKey,
    queryFn: ({ signal }) => valueOf(send(signal)),
    refetchInterval: ({ state: { data, error } }) => nextReading(again, data, error?.failure ?? null),
    ...options,
  })

/** Reads about the shop of the screen. */
export const useRead = <C extends AnyCall>(
  call: C,
  input: CallInput<C> = {},
  options: ReadOptions<AnswerOf<C>> = {},
): UseQueryResult<AnswerOf<C>> => {
  const [api, shop] = [useApi(), useShop()]
  const key = [shop.label, shop.mode, call.method, call.path, input]
  return useReadOf<AnswerOf<C>>(key, (signal) => api.send<C>(call, input, shop, signal), options)
}

/** Reads about the person, or about the installation. */
export const usePersonRead = <C extends AnyCall>(
  call: C,
  input: CallInput<C> = {},
  options: ReadOptions<AnswerOf<C>> = {},
): UseQueryResult<AnswerOf<C>> => {
  const api = useApi()
  const key = [undefined, undefined, call.method, call.path, input]
  return useReadOf<AnswerOf<C>>(key, (signal) => api.send<C>(call, input, undefined, signal), options)
}

/** A page of a list, as every list of the merchant API answers it. */
interface ListPage<T> {
  readonly items: readonly T[]
  readonly after: string | null
}

/** A list about the shop of the screen, page behind page. `readPage` sends the call of the list with this `after`. */
export const useReadPages = <T>(
  key: readonly unknown[],
  readPage: (
    api: Api,
    shop: ChosenShop,
    after: string | undefined,
    signal: AbortSignal,
  ) => Promise<CallResult<ListPage<T>>>,
  again: ReadAgain<readonly T[]> = false,
) => {
  const [api, shop] = [useApi(), useShop()]
  return useInfiniteQuery<ListPage<T>, CallFailed, InfiniteData<ListPage<T>>, readonly unknown[], string | undefined>({
    queryKey: [shop.label, shop.mode, ...key],
    refetchInterval: ({ state: { data, error } }) =>
      nextReading(
        again,
        data?.pages.flatMap(({ items }) => items),
        error?.failure ?? null,
      ),
    queryFn: ({ pageParam, signal }) => valueOf(readPage(api, shop, pageParam, signal)),
    initialPageParam: undefined,
    getNextPageParam: ({ after }) => after ?? undefined,
  })
}

/** A list about the installation, page behind page. */
export const usePersonReadPages = <T>(
  key: readonly unknown[],
  readPage: (api: Api, after: string | undefined, signal: AbortSignal) => Promise<CallResult<ListPage<T>>>,
) => {
  const api = useApi()
  return useInfiniteQuery<ListPage<T>, CallFailed, InfiniteData<ListPage<T>>, readonly unknown[], string | undefined>({
    queryKey: [undefined, undefined, ...key],
    queryFn: ({ pageParam, signal }) => valueOf(readPage(api, pageParam, signal)),
    initialPageParam: undefined,
    getNextPageParam: ({ after }) => after ?? undefined,
  })
}

/** Sends a call about the shop of the screen. */
export const useSend = () => {
  const [api, { label, mode }] = [useApi(), useShop()]
  return useCallback(
    <C extends AnyCall>(call: C, input: CallInput<C> = {}) => api.send<C>(call, input, { label, mode }),
    [api, label, mode],
  )
}

/** Sends a call about the person, or about the installation. */
export const usePersonSend = () => {
  const api = useApi()
  return useCallback(<C extends AnyCall>(call: C, input: CallInput<C> = {}) => api.send<C>(call, input), [api])
}

interface Action<Args extends readonly unknown[]> {
  /** Does nothing while it is running: a second click sends nothing. */
  run(...args: Args): void
  readonly isRunning: boolean
  /** What it is running with: of many buttons the one that was pressed is busy, and keeps the focus. Null: it is not running. */
  readonly runningWith: Args | null
  /** Why the last one was refused; null: it was not. */
  readonly failure: CallFailure | null
  reset(): void
}

/** Something that a person does with a button: it runs once at a time, and keeps why it was refused. */
export const useAction = <Args extends readonly unknown[], T>(
  act: (...args: Args) => Promise<CallResult<T>>,
  onDone: (value: T) => void | Promise<void>,
): Action<Args> => {
  const [runningWith, setRunningWith] = useState<Args | null>(null)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const run = async (...args: Args): Promise<void> => {
    setRunningWith(args)
    setFailure(null)
    try {
      const result = await act(...args)
      if (result.ok) await onDone(result.value)
      else setFailure(result.failure)
    } finally {
      setRunningWith(null)
    }
  }
  const isRunning = runningWith !== null
  return {
    run: (...args) => {
      if (!isRunning) void run(...args)
    },
    isRunning,
    runningWith,
    failure,
    reset: () => setFailure(null),
  }
}
