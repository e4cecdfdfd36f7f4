/**
 * Words of which the commonest passwords are made. Our own list, in small letters. `password-rules.ts` looks for them after capitals,
 * spaces, signs, digits at the ends and digits for letters are gone, alone, repeated and two in a row, and for walks along the keyboard;
 * a test compares that with the commonest passwords of ten characters or more.
 */
const words = `
123abc 123qwe 1q2w3e4r 1qaz2wsx a1b2c3 aaaaaaaaaa abc123 abcd1234 abracadabra access admin admin123 administrateur administrator
adventure agent007 alain alejandro alexander alexandra alexandre alexandria amanda america american amour andre andrea andrew
android ange angel angela angels anniversaire anthony antoine antonio anything apple april argentina arizona arsenal asd123 asdf
asdfgh asdfghjkl ashley assassin asshole atlanta audi august aurelie australia automne autumn azerty azertyuiop baby babyboy
babygirl banana barbara barcelona baseball basketball batman beatles benjamin berlin bernard bienvenue birthday bitch black blessed
blessing blink blink182 blowjob blue bond007 bonheur bonjour bordeaux boston brasil brazil bretagne brigitte broncos brother bruno
buffalo bulldog bulls bullshit business butter butterfly california callofduty camaro camille canada candy carlos carmen caroline
catherine celine celtic celtics champion change changeme charlie charlie1 charlotte cheese cheetah chelsea cherry chevelle chevrolet
chicago chicken children chloe chocolat chocolate christ christian christina christine christmas christophe christopher citroen
claude cobra cocacola coffee college colorado company computer computer1 cookie cookies corporate correcthorse
correcthorsebatterystaple corvette counterstrike cowboy cowboys cricket crystal cupcake cycling daddy dallas dancer dancing daniel
daughter davidson december default demon denver destiny deutschland devil diablo diamond diamonds dickhead didier dietrich dimanche
director doctor dodgers dolphin dominic dominique donkey dontforget doudou dragon dragonball dreamer dreams drummer ducati eagle
eagles ecole editor elephant elizabeth elvis email emerald eminem engineer england enterpassword espagne espana etoile everton
everything example explorer facebook faith falcon famille family fantasy father february fernando ferrari finalfantasy fishing fleur
florida flower flowers football football1 forest forever fortnite france francesco francisco francois francoise frederic freedom
friday fuckme fuckoff fuckyou gabriel gabriella galaxy gamer games gaming gandalf gazette george georgia gerard germany giants
ginger giovanni gmail godisgood golden golf golfer goodbye google green greenday guest guillaume guinness guitar happiness happy
harley harrypotter hawk heaven heineken hello henri hiver hockey hogwarts holiday honda honey horse horses hotmail houston hunter
hunting hurricane icecream iforgot iloveu iloveyou india instagram internet invite iphone ireland ironman isabella isabelle island
italia italie jacques jaguar january japan jennifer jessica jesus jesuschrist jetaime jeudi johannes jonathan jordan jordan23 joseph
joshua journal journalist julien jupiter justice juventus katherine kawasaki killer kitten knight lacrosse lakers lamborghini laptop
laurent lawyer ledzeppelin legend leonardo leopard letmein letmeinnow liberte liberty licorne lightning linkedin linkinpark lion
liverpool login london lorenzo louis loulou love lovely loveme lover lovers loveyou lucifer lucky lundi macbook madonna madrid magic
mailing maman manager manchester manon marcel march mardi margaret maria marine marines mario marseille martine maserati master
mathieu matrix matteo matthew maxime melbourne melissa mercedes merci mercredi mercury merlin metallica mexico michael michael1
michaeljackson michel michelle michigan microsoft midnight military minecraft mommy monamour monday monica monique monkey monster
montreal moonlight moscow motdepass motdepasse mother motherfucker mountain music musique mustang mylove mypassword mystery naruto
natalia natasha nathalie ncc1701 ncc1701d neptune network newpassword newsletter newsletters newyork nicholas nicolas nicole ninja
nintendo nirvana nissan noel nokia nopassword nothing nounours november ocean october office oldpassword olivier olympique one
onepiece online opensesame openup orange packers pakistan panther panthers papa papillon paradise paris parissaintgermain pascal
pass pass1234 passe passpass passphrase passwd password password1 passwort patrice patricia patrick patriots pauline peace peaches
peanut penguin pepper pepsi peugeot philippe phoenix pierre pikachu pineapple pink pinkfloyd pizza planet platinum player
playstation please pokemon pokemongo porsche portugal president prince princess princess1 princesse printemps printroom publication
publisher pumpkin puppy purple pussy q1w2e3r4 qazwsx qazxsw qsdfghjklm qwe123 qwer qwerty qwerty123 qwertyuiop qwertz rabbit racing
raiders rainbow rangers raven realmadrid rebecca red redskins redsox remember rememberme renault rene richard river robert roblox
roger root rugby running rush2112 russia salut samantha samedi sample samsung samurai sandra sandrine saturday saturn school
scorpion scotland seattle sebastian secret security september server sexsex sexy shadow shithead silver singer sister slayer
slipknot smile snake sniper soccer softball soldier soleil something sonic sophie sorry spider spiderman spring starcraft starlight
startrek starwars steelers stephane stephanie strawberry student subaru subscribe subscriber success sugar summer sunday sunflower
sunshine superman supersecret superuser surfing suzuki swimming sydney sylvie system tatiana teacher teamo temp temporary tennis
terminator test test1234 tester testing texas thankyou thepassword thibault thierry thomas thunder thursday thx1138 tiger tigers
tirage today tokyo tomorrow topsecret tornado toronto tottenham toyota trinity trustno trustnoone tuesday turtle twitter unicorn
universe university user utilisateur vacances valerie vampire vanessa vanilla vendredi veronica veronique victoria victory vincent
viper virginia virginie volkswagen volleyball warcraft warrior warriors website wednesday weekend welcome whatever whatsup whiskey
white wildcat william willkommen windows winner winter wizard wolf wolfgang wolves wonderwoman worldofwarcraft wxcvbn xbox yahoo
yamaha yankees yellow yesterday yourpassword youtube zaq12wsx zaq1zaq1 zelda zombie zxc123 zxcv zxcvbn zxcvbnm
`

export const commonWords: ReadonlySet<string> = new Set(words.split(/\s+/).filter(Boolean))
