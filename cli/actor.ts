import { userInfo } from 'node:os'
import { type Actor, localActor } from '../src/operators/index.ts'

/** The person who runs the command, by the account on this machine. */
export function actorHere(): Actor {
  return localActor(accountHere())
}

/** The name of the account; its number where it has no name, as in containers that run under any number. */
export function accountHere(nameOf: () => string = () => userInfo().username): string {
  try {
    return nameOf()
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}
