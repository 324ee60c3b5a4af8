/** Roles: what a person may do at a shop, in the words that API keys use for their access. */
import type { KeyAccess } from '../access.ts'

/** From the most to the least. */
export const ROLES = ['owner', 'staff', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** Whether `role` may do what needs `needed`: an owner may do what staff may. */
export const hasRole = (role: Role, needed: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(needed)

export const isRole = (value: string): value is Role => ROLES.some((role) => role === value)

/** What a call needs of a key, it needs of a person: nobody can do more by the console than a program can. */
export const ROLE_ACCESS: Readonly<Record<Role, KeyAccess>> = { owner: 'full', staff: 'sales', viewer: 'read' }
