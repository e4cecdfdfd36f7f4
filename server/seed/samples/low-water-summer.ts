import { bullets, doc, h, p, quote, steps, table } from '../document-builder.ts'
import type { SamplePublication } from './sample.ts'

/** The first half year of Low Water, newest first. */
export const summer: SamplePublication[] = [
  {
    slug: 'salt-on-the-windows',
    title: 'Salt on the windows',
    subtitle: 'How far inland the sea goes, measured in window cleaners.',
    language: 'en',
    weeksAgo: 7,
    cover: 'window',
    content: doc(
      p(
        'Ask a cartographer where the sea ends and you get a line. Ask Denis, who has cleaned windows between Audierne and Quimper for thirty years, and you get a zone. “To the second roundabout it is salt,” he says. “From there it is pollen.”',
      ),
      p(
        'He is right to within a kilometre or so. Salt aerosol falls off steeply in the first few hundred metres and then goes on, thinly, for as far as the wind has patience. In a westerly gale it has been found [two hundred kilometres inland](https://journal.example/aerosol). Denis has not been that far. He has, however, noticed that the church in Plonéour needs doing twice as often on its left side.',
      ),
      quote('I do not wash windows. I move the coast.'),
      p('He charges by the pane, and does not charge for the west side after a storm. “That one is on the sea.”'),
    ),
  },
  {
    slug: 'a-chart-you-cannot-afford',
    title: 'How to read a chart you cannot afford',
    subtitle: 'A chandler, a magnifying glass and forty minutes before closing.',
    language: 'en',
    weeksAgo: 9,
    cover: 'chart',
    content: doc(
      p(
        'There is a chandler in Concarneau who does not mind if you look. The chart table is at the back, under the good lamp, and the drawer that matters is the third. You have until half past six.',
      ),
      steps(
        '**Begin with the title.** It tells you who was here, when, and how much they were paid to care.',
        '**Read the empty parts.** Where there are few soundings there was little money, or a great deal of confidence.',
        '**Find the bottom.** The small letters are what came up on the tallow: *S* sand, *M* mud, *Sh* shells, *R* for regret.',
        '**Then the names.** Somebody was frightened at La Jument long before somebody drew it.',
      ),
      p(
        'I bought one in the end. It was last year’s edition, which is half the price, and the chandler wrote *not to be used for navigation* across the corner in pencil, so that I could rub it out. He also gave me the address of [a man who corrects them by hand](https://charts.example/corrections).',
      ),
    ),
  },
  {
    slug: 'the-ferry-keeps-its-own-time',
    title: 'The ferry keeps its own time',
    subtitle: 'Nine minutes late since 1974, and always on the tide.',
    language: 'en',
    weeksAgo: 11,
    cover: 'ferry',
    content: doc(
      p(
        'The timetable says 07:45. The ferry leaves at 07:54. It has done so since 1974, when a new timetable was printed with the times of the old slip, and the new slip turned out to be nine minutes further from the tide.',
      ),
      p(
        'Reprinting was considered, and then the summer came. By the autumn everyone had learnt it. Now the school starts nine minutes late on the island, the post office opens nine minutes late, and the one traffic light, which is on the mainland, is generally thought to be early.',
      ),
      table(
        ['Sailing', 'Printed', 'True'],
        ['Morning', '07:45', '07:54'],
        ['Noon', '12:10', '12:19'],
        ['Evening', '18:30', '18:39'],
      ),
      p('The company’s [new application](https://ferry.example/times) shows the printed time. It has two stars.'),
    ),
  },
  {
    slug: 'slack-water',
    title: 'Slack water',
    subtitle: 'On the twenty minutes when nothing is decided.',
    language: 'en',
    weeksAgo: 14,
    cover: 'slack',
    content: doc(
      p(
        'Between the ebb and the flood there is a pause. The tables call it slack and give it a time, but it is not a moment, it is a hesitation: twenty minutes here, five in the race, an hour in the upper river where the water seems to have gone in and closed the door.',
      ),
      p(
        'The oyster farmers turn their sacks in it. The divers go down in it. The ferryman, who has been shouting since five, lowers his voice. “You can hear what you think,” he told me, and added, after thinking, “so I smoke.”',
      ),
      h(2, 'A use for it'),
      p(
        'I have begun to look for it elsewhere. Between the question and the answer. Between the kettle and the cup. It is nearly always there, and [nearly always shorter than it says](https://tides.example/slack).',
      ),
    ),
  },
  {
    slug: 'a-winter-inventory',
    title: 'A winter inventory',
    subtitle: 'What the storms took, what they brought, and what they put back.',
    language: 'en',
    weeksAgo: 18,
    cover: 'bell',
    content: doc(
      p(
        'The mayor’s office keeps a list, because the insurers ask for one. I was allowed to copy the parts that the insurers did not ask for.',
      ),
      bullets(
        '**Taken:** eleven metres of railing; the *o* of *Port*; the bench, again.',
        '**Brought:** a fridge, working; four hundred lemons; a Danish road sign for elk.',
        '**Put back:** the bench.',
      ),
      p(
        'The lemons were good. There was a recipe by the Thursday, and by the Saturday a waiting list. The sign has been put up on the road to the lighthouse, where, [so far](https://elk.example/sightings), it has been entirely effective.',
      ),
    ),
  },
  {
    slug: 'before-the-first-tide',
    title: 'Before the first tide',
    subtitle: 'What this letter is, how often it comes in, and when it goes out again.',
    language: 'en',
    weeksAgo: 22,
    cover: 'lighthouse',
    content: doc(
      p('Good morning {name|and welcome}. You are among the first.'),
      p(
        'Low Water is a letter about the edge: harbours, tables, lights, the people who look after them and the things they say while they are doing something else. It comes on Saturdays, at seven, when it has something to say. It costs nothing and it sells nothing but itself.',
      ),
      p(
        'I write it at a kitchen table in Audierne, four metres above the chart datum and about eleven below the good sense of moving somewhere dry. If you [answer it](mailto:ines@lowwater.example), I answer. If you would rather leave, the link is at the foot of every letter, and I shall not ask why.',
      ),
      p('*Inès*'),
    ),
  },
]
