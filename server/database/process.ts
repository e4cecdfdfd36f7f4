import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process id that came back with another process behind it has another beginning. `null`: no such process. */
export function beginningOf(pid: number): string | null {
  return process.platform === 'linux' ? linuxBeginning(pid) : listed(pid, 'lstart')
}

function linuxBeginning(pid: number): string | null {
  try {
    // The name in parentheses may hold spaces, so fields are counted after it: the 22nd, in clock ticks since boot.
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return afterName[0] === 'Z' ? null : (afterName[19] ?? null)
  } catch {
    return null
  }
}

/** Whether the process is the PostgreSQL server (not one of its children) that we started on this folder. */
export function isServerIn(pid: number, folder: string): boolean {
  return commandOf(pid).includes(` -D ${folder} `)
}

/** Everybody may read the command line of a process, while its current folder is its user's business. */
function commandOf(pid: number): string {
  if (process.platform !== 'linux') return `${listed(pid, 'command')} `
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function listed(pid: number, column: string): string | null {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim() || null
  } catch {
    return null
  }
}
