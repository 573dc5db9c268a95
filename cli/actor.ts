import { userInfo } from 'node:os'
import { type Actor, localActor } from '../src/operators/index.ts'

/** Whoever runs the command, by the account of this machine. */
export function actorHere(): Actor {
  return localActor(userInfo().username)
}
