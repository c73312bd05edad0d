/*
 * From the list of the most common passwords of zxcvbn-ts (@zxcvbn-ts/language-common 4.1.3):
 * Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.; Copyright (c) 2021 @zxcvbn-ts; MIT licence.
 */

import { wordsIn } from './common-passwords.ts';

/** Words of letters among the 6,000 most common passwords, from which longer passwords are made. */
export const COMMON_WORDS: ReadonlySet<string> = wordsIn(`
  aaliyah aardvark abbott aberdeen abgrtyu abigail abnormal abraham abrakadabra absolut absolute access accord account
  achilles action active adgjmptw adidas admiral adonis adrian adriana adrienne adults aezakmi africa aggies aikido
  airborne airbus airforce airplane airport airwolf alabama aladin alaska albany albatros albert alberto albina albion
  alejandr alejandro aleksandr aleksandra aleksey alenka alessandro alexalex alexande alexander alexandr alexandra
  alexey alexia alexis alfred alfredo alibaba alicia aliens alisha alison alissa alliance allison allmine allsop
  allstar almond alphabet alpine altima alucard always alyssa amadeus amanda amateur amateurs amazing amazon amelia
  america american amerika amsterda amsterdam anaconda anakin anarchy anastasi anastasia anastasiya anders andersen
  anderson andrea andreas andrei andres andrew andrey andromed andromeda anfield angela angelica angelika angelina
  angelo angels anhyeuem animal animals annabell annette annika answer anthon anthony anthrax antoine antoni antonio
  anubis anything apache apollo applepie apples aptiva aquarius aragorn arcadia archer archie argentina ariana arizona
  arlene armagedon armand armani arnold arrows arsenal artemis artemka arthur artist arturo asdasd asddsa asdfasdf
  asdfgh asdfghj asdfghjk asdfghjkl asdfjkl asdfzxcv asdzxc ashlee ashleigh ashley ashton aspire aspirine assassin
  assholes assman assword asterix astrid astros athena athens athlon atlanta atlantic atlantis atomic attack attila
  attitude aubrey auburn audrey august augusta augustus aurora aussie austin australi australia autumn avalanch avalon
  avatar avenger avenue aviation awesome azamat azerty azsxdc azsxdcfv babies babybaby babyblue babyboy babydoll
  babyface babygirl babylon babylove bacardi bacchus backdoor backup badboy baddog badger badgers badgirl badman
  baggins baggio bagira bailey balance baldwin baller ballin balloon balloons bambam bamboo banana bananas banane
  bandit bangbang banger bangkok banker banner banshee banzai barbados barbara barber barbie barcelon barcelona
  barefoot barker barkley barnes barney barrett barron barsik bartman barton basebal baseball basket basketba
  basketball basset bassman bastard batman battery battle baxter bayern bcfields beaches beacon beagle beamer beaner
  beanie bearbear bearcat beardog beastie beatle beatles beatrice beautifu beautiful beauty beaver beavis because
  becker beckham beefcake beemer beerbeer beerman beetle believe belinda bender benfica bengals benjamin bennett
  benson bentley beowulf beretta berger bergkamp berlin bermuda bernard bernie bertha bertie bessie bethany better
  beverly bhbirf bianca bicycle bigballs bigbear bigben bigbird bigblock bigblue bigboobs bigboss bigboy bigbutt
  bigcat bigdaddy bigdog bigfish bigfoot bigger biggie biggles bigguy bigmac bigman bigmike bigmoney bigone bigred
  bigtime bigtit bikini billie billybob billyboy bimmer binladen biology birdie birdman birthday biscuit bishop biteme
  bizkit blabla blackbir blackcat blackdog blackhaw blackie blackjac blackjack blackman blackout blacks blacky blades
  blahblah blaster blazer blessed blessing blizzard blonde blondes blondie bloody blossom blowme bluebell bluebird
  blueblue blueboy bluedog blueeyes bluefish bluemoon bluesky bobafett bobbie bobbob bobcat bobdylan boeing bogart
  bogdan bohica bollocks bollox bolton bombay bomber bombers bondage bonehead bonita bonjour bonjovi bonkers bonnie
  bonsai boobie boobies booboo booger boogie booker bookworm boomboom boomer booster bootie boozer boricua borussia
  bossman boston bottle bottom bounce bounty bowler bowling bowser bowwow boxers boxing boxster bradford bradley
  brains brandi brando brandon brandy brasil braves brazil breast breasts breeze brenda brendan brewer brewster briana
  brianna bridge bridget bright brighton brigitte bristol british britney brittany brittney broadway brodie broken
  broker bronco broncos bronson bronze brooke brooklyn brooks brother brothers brownie browning browns brucelee bruins
  bruiser brutus bryant bubbas bubble bubbles bucket buckeye buckeyes buckshot budapest buddah buddha buddie buddyboy
  budlight budman budweise buffalo buffett bugger builder bulldog bulldogs bullet bullfrog bullseye bummer bumper
  bunghole bunker bunnies burger burrito burton bushido business busted buster butcher butler butter buttercu butterfl
  butterfly butthead butthole buttman button buttons buzzard byteme cabbage cabron cactus cadillac caesar caitlin
  calgary calico caliente californ california caligula callaway callie callum calvin camaro cambiami camelot camels
  cameltoe camera cameron camila camilla camille campbell camper canada canadian cancel cancer cancun candace candice
  candle candyman cannabis cannon cantona canyon capital capone caprice capslock captain caramel caravan carbon
  cardinal carina carlito carlitos carlos carlton carmel carmen carnage carole carolin carolina caroline carolyn
  carpedie carpet carrera carrie carrot carson carter cartman cartoon casanova cascade caserta casino casper cassidy
  cassie castle castro catalina catdog catfish catherin catherine catman cattle caught cavalier caveman ccbill cdtnbr
  cdtnkfyf cecilia cedric celeron celeste celica celine celtic celtics center central century cerberus cessna cfitymrf
  cgfhnfr chainsaw chambers champion champs chance chandler chanel change changed changeme channel chantal charger
  chargers charity charlene charles charley charli charlie charlott charlotte charlton charly charmed charter chaser
  cheater checkers cheech cheeks cheers cheese cheetah chelsea chemical cherokee cherry cheryl chester chestnut
  chevelle chevrole chevrolet chewie cheyenne chicago chichi chicken chickens chicks chiefs children chillin chilly
  chimera chinook chipmunk chipper chippy chivas chocolat chocolate choice choochoo chopin chopper chrisbln chriss
  chrissy christ christia christian christie christin christina christine christma christmas christop christopher
  christy chrome chronic chrono chrysler chuang chubby chuckie chuckles chucky chunky church ciccio cicero cigars
  cinder cinema cinnamon circle circus citadel citizen cjkysirj cjkywt claire clancy clapton clarence clarinet classic
  classics claude claudi claudia claudio claymore clayton clemson clevelan clifford climber clinton clipper clippers
  clitoris clouds clover clowns cobain cobalt cobras cocacola cocaine coconut coffee cohiba coldbeer coleman colleen
  college collin collins colnago colombia colonel colorado colors colton coltrane columbia columbus comanche combat
  comfort comics command commando common company compaq compton compute computer concord concorde concrete condom
  condor confused connect conner connie connor conover conrad consumer contact content control cookie cookies coolcool
  cooldude cooler coolguy coolio coolman coolness cooper cooter copper corleone cornell corolla corona corrado corsair
  corvette cosmic cosmos cosworth cottage cotton cougar cougars counter country county courage courtney cowboy cowboys
  coyote cracker cramps crawford crazybab creampie creamy create creation creative creature credit cricket criminal
  crimson cristian cristina critter crjhgbjy cruise cruiser crunch crusader crusher crysis crystal cthtuf cthulhu
  cthutq ctrhtn cubbies cubswin cuddles cupcake curious curtis custom cutter cxfcnmt cyclone cyclops cygnus cynthia
  cypress dabears daemon daewoo dagger dakota dalejr dallas dalton damage damian damien dammit damnit dancer dancing
  danger daniel daniela danielle daniil danila dannyboy danzig daphne darius darklord darkman darkness darkside
  darkstar darlene darling darrell darren darryl darwin davide davids davidson dawson dayton daytona dbrnjh dbrnjhbz
  deacon deadhead deadman deadpool deanna debbie deborah december deedee deejay deepthroat deeznuts deeznutz defender
  defense defiant deftones delete delight delilah delphi deluxe demons denali denise deniska dennis denver depeche
  derrick desert design designer desire desiree deskjet desmond destiny destroy detroit deutsch devildog devils dexter
  dfcbkbq dfkthbz dfkthf dfktynbyf dfvgbh dharma diablo dialog diamond diamonds dianne diehard diesel dietcoke dieter
  digger diggler digimon digital dilbert dilligaf dillon dinamo dingdong dinosaur direct director dirtbike discover
  disney divine diving divorce dkflbckfd dkflbvbh doberman doctor dodger dodgeram dodgers dogbert dogboy dogcat
  dogfood dogger doggie doghouse dogman doitnow dollar dollars dolores dolphin dolphins domain dominic domino donald
  donkey donnie donovan donuts doobie doodle doofus doogie dookie doomsday dorian dorothy dotcom dottie double
  doughboy douglas download downtown dracula dragon dragonba dragonball dragons dragoon drakon dreamer dreams drifter
  driver drizzt droopy drowssap drpepper drummer dthjybrf dublin ducati duchess duckie dudedude dudley duncan dundee
  dupont durango duster dustin dutchess dwayne dwight dynamite dynamo dynasty eagles earnhard easter easton eastside
  eastwood eclipse edison eduard eduardo edward edwards eeyore eileen einstein ekaterina elaine eldorado eleanor
  electra electric electro electron element elephant eleven elijah elizabet elizabeth elizaveta elliot elliott elvira
  elwood emerald emerson emilia eminem emmanuel emmitt empire energy engage engine engineer england english enigma
  enrico enterpri enterprise entropy epsilon eraser ericsson ernest erotic erotica escape escort esther estrella
  eternal eternity eugene eureka europa europe evelyn everest everett everton evolution excalibu excalibur exigen
  exigent exodus exotic explorer express extreme fabian fabric facial faithful falcon falcons fallen fallout family
  famous fandango fantasy farley farmer farscape farside fashion fastball faster fatboy fatcat father fatima fatman
  feather february federal federico felicia felipe female fender fergie fergus ferguson fernand fernando ferrari
  ferret ferris fester festival fetish fghtkm fgtkmcby ficken fiction fidelio fiesta figaro fighter filter filthy
  finance finger fingers finish fireball firebird firefly firefox fireman firewall fischer fishbone fisher fishes
  fishin fishing fishman fisting fitness fktrcfylh fktrcfylhf fktrctq flames flamingo flatron fletch fletcher flexible
  flight flipper floppy florence flores florian florida flounder flower flowers fluffy flyboy flyers flying foobar
  footbal football forest foreve forever forfun forget forgot format formula forrest forsaken fortuna fortune forward
  foryou fossil foster fountain fowler foxtrot france frances francesc francesco francis franco francois frankie
  franklin franky fraser freaks freaky freckles freddie freddy frederic fredfred freebird freedom freeman freeuser
  freeway freeze french friday friend friendly friends fright frisco frisky frogger froggy frontier frosty frozen
  fugazi fulham fullmoon function funtime fusion futbol future fyfcnfcbz fylhtq fytxrf fyutkbyf gabrie gabriel
  gabriela gabriell gadget galaxy galina galore gambit gameboy gamecube gameover gandalf ganesh garage garbage garcia
  garden garfield gargoyle garion garrett gasman gaston gateway gatorade gators gawker gbpltw gegcbr geheim gemini
  general generic genesis geneva genius geoffrey george georgia gerald gerard german germany geronimo gertrude
  gesperrt getmoney getout getsome gfhjkm ghbdtn ghbdtnbr ghblehjr ghetto ghjcnj ghjcnjnfr ghostrider ghosts giants
  gibson gidget gilbert gilles gillian ginger giorgi giorgio giovanni giraffe giuseppe gizmodo gjkbyf glacier
  gladiator global gloria gmoney goalie goaway gobears goblin goblue gobucks goddess godfathe godfather godsmack
  godzilla gofish goforit goirish goldberg golden goldfish goldie goldstar goldwing golfball golfer golfgolf golfing
  goliath gollum gonavy gonzalez goober goodboy goodbye goodluck goodman goodtime google gooner gopher gordon gorgeous
  gorilla gotcha gothic gotohell govols gracie graham grande grandma granny graphics grateful grease greatone greece
  greenbay greenday greene greens gregor gregory gremlin grendel gretchen gretzky griffey griffin gringo grizzly
  gromit groove groovy groucho grover grumpy guardian guiness guinness guitar guitars gundam gunnar gunner gunners
  gunther gustav guyver hacked hacker haggis hailey halflife halifax hallie hambone hamburg hamilton hamish hamlet
  hammer hammers hammond hampton hamster handsome handyman hannah hannibal hansen hansolo happiness happyday hardcore
  harder hardon hardrock hardware harley harmony harold harper harris harrison harrypotter harvard harvest harvey
  hassan hastings havana havefun hawaii hawaiian hawkeye hawkeyes hayabusa hayden hayley health hearts heater heather
  heaven heckfy hector hedgehog heineken heinrich helena helene hellboy hellfire helloo hellos hellyeah helmet helpme
  hendrix hentai herbert herbie hercules heritage herman hermes heroes hershey hesoyam hewlett heynow hidden higgins
  highheel highland highway hillary hilton hiphop hippie history hithere hitman hjccbz hjvfirf hobbes hobbit hockey
  hokies holden holiday holidays holland hollie hollow hollywoo hollywood holmes homeboy homerj homers homerun hondas
  hongkong honolulu hookem hooker hookup hooligan hooper hoosier hoosiers hooter hooters hootie hoover hopeful
  hopeless hopper horizon horndog hornet horney horses hotbox hotboy hotdog hotred hotrod hotshot hotstuff hottie
  hounddog houses houston howard hubert hudson hughes hummer hungry hunter hunting hurley hurrican husker huskers
  huskies hustler hyperion iamgod ibanez iceberg icecream icehouse iceman idontkno idontknow idunno iforgot iguana
  ihateyou illini illinois illusion iloveme iloveu iloveyo iloveyou imagine imation immortal impact impala imperial
  incubus indian indiana indians indigo infantry inferno infiniti infinity ingrid insane insanity insert inside
  insomnia inspiron install integra internet intrepid intruder inuyasha iomega ipswich ireland irishman ironman isabel
  isabella isabelle isaiah iscool island islander israel istanbul italia italian ivanov ivanova iverson iwantu jabroni
  jackal jackie jackjack jackoff jackpot jackson jacobs jacques jagger jaguar jakejake jamaica jamesbon jamesbond
  jameson jammer jammin janice janine january japanese jarhead jarvis jasmin jasmine jasper javier jaybird jayden
  jayhawk jayhawks jayson jazzman jeanette jeanne jefferso jeffery jeffrey jellybea jenkins jennie jennife jennifer
  jensen jeremiah jeremy jericho jerkoff jerome jersey jessic jessica jessie jester jethro jetski jewels jezebel
  jiggaman jillian jimbob jimmie jingle jktymrf joanna joanne jockey joejoe johann johanna johannes johnboy johndeer
  johnjohn johnny johnson jokers jonathan jordan joseph josephin joshua journey jrcfyf juanita jubilee judith juggalo
  julian juliet juliette julius jumper junebug jungle junior jupiter justdoit justice justin justine justme juventus
  kahuna kaiser kaitlyn kakashka kaktus kamikaze kamila kangaroo kansas karate karina karolina kashmir kasper katana
  katarina katerina katherin katherine kathleen kathryn katrin katrina kawasaki kaylee kazantip keegan keeper keller
  kelley kellie kelsey kendall kendra kennedy kenneth kenshin kentucky kenwood kenworth kermit kerstin keyboard
  keystone keywest kfhbcf kicker kidrock killbill killer killers killjoy killkill killme kilroy kimber kimberly kimmie
  kinder kingdom kingfish kingkong kingpin kingston kipper kirill kirsten kirsty kisses kissing kisskiss kissme kitkat
  kitten kittens kittycat kittykat kjkszpj kjrjvjnbd klaster kleopatra klingon knickers knicks knight knights knockers
  knopka kodiak kolobok koshka kosmos kostya kotaku kotenok kramer krishna krista kristen kristi kristin kristina
  kristine kristy krusty krypton krystal ktyjxrf kungfu labrador labtec lacrosse ladies ladybug laguna lakers lakota
  lambert lamont lancelot lancer landon lansing lantern laptop larisa lassie lasvegas latina latinas latino laurel
  lauren laurence laurent laurie lawrence lawyer lazarus leader leanne leather ledzep legacy legend legion legolas
  lemons lennon leonard leonardo leonid leopard lesley leslie lespaul lestat lester letmein letsgo letter lexmark
  liberty library licker licking lickit lickme lifehack lifetime lighter lightnin lightning lights lilian lillian
  lincoln lindros lindsay lindsey lionel lionking lipstick liquid lisalisa lithium little liverpoo liverpool living
  lizard lizzie loaded lobster logitech lokomotiv lolipop lolita lollipop lollol lollypop london lonely lonestar
  lonewolf longbow longhorn longjohn looker looking looney looser lorenzo lorraine losers lottie louise loulou lovebug
  loveit loveless lovelife lovelove lovely loveme loverboy lovers loveyou loving lowrider ltybcrf lucifer lucille
  luckydog ludmila ludwig lumber luther lvbnhbq macbeth macdaddy machine macross madden maddie maddog madeline madina
  madison madman madmax madness madonna madrid maestro magazine magelan maggie maggot magical magician magick magicman
  magnet magnolia magnum magnus magpie maiden mailman majestic makaveli maksim maksimka malaka malcolm malibu malina
  mallard mallory malone mamapapa manager manchest manchester mancity mandarin mandingo maniac mankind manning manolo
  manowar manson mantis manuel manuela manutd maradona marathon marcel marcello marcia marcos marcus margaret
  margarita mariah marian mariana marianna marianne marika marilyn marina marine mariners marines marino marion
  mariposa marisa marissa marius marker market markus marlboro marlene marley marlin marlon married marsha marshall
  martha martin martina martine martinez martini marvel marvin maryann maryjane maryland masamune massage massimo
  massive master masters matador mathew matilda matrix matteo matthew matthews mattie mature maureen maurice maverick
  maxell maxima maxime maximum maximus maxine maxmax maxwell maxxxx mayday mayhem maynard mazafaka mckenzie mclaren
  meagan meatball meathead meatloaf mechanic medical medicine medion medusa megadeth megaman megatron meghan meister
  melanie melinda melissa mellon mellow melody melvin member memorex memory memphis menace meowmeow mephisto mercedes
  mercury meredith meridian merlin merlot mermaid mersedes metallic metallica method mexican mexico michae michael
  michaela micheal michel michele michell michelle michigan mickey microlab micron microphone microsof microsoft
  midget midnight midway mighty miguel mihail mikemike milana milano milena military milkman miller millie million
  millions millwall milton minecraft minime minnie miracle mirage miranda miriam mirror misery misfit misfits mishka
  mission missouri mister mistress mitchell mittens mobile models modena mohamed mohammed mollie mollydog moloko
  molson momoney monaco monalisa monarch monday mondeo moneyman moneys mongoose monica monika monique monitor monkey
  monkeybo monkeys monopoly monroe monster monsters montana montreal moocow mookie moomoo moonbeam moondog moonlight
  mordor moreno morgan moritz morning morpheus morris morrison mortgage mortimer moscow mother motherlode motley
  motorola mountain movies mozart mudvayne muffin mulder mullet multiplelo munchkin muppet murder murphy murray
  musashi muscle muscles mushroom musica musicman mustafa mustang mustangs mustard mybaby mygirl mylife mylove myname
  mypassword myself mystery mystic nadine namaste nanook napoleon napoli napster naruto nascar nastya natali natalia
  natalie natasha nathalie nathan national natural nature naughty nebraska nellie nelson nemesis neptune netscape
  network nevada nevermind newbie newcastl newlife newman newport newton newyork nextel nfnmzyf nguyen niceguy
  nicholas nichole nickel nicola nicolas nicole nightmare nights nikita nikitos nikola nikolay nimbus nimrod niners
  ninjas nintendo nipper nipple nipples nirvana nissan nitram nobody noelle nofear nolimit nomore noodle noodles
  nookie normal norman northern norton norway norwich nothing novell november ntktajy nudist nugget nuggets number
  nutmeg nuttertools nygiants nyjets nylons nymets oakland oakley oatmeal obelix obiwan oblivion oceans october odessa
  office officer ohyeah oilers oklahoma oksana oldman oliver olivia olivier onelove onetime onetwo online onlyme
  openup operator optimus oracle orange oranges orchid oregon orgasm orient original orioles orlando osiris othello
  outkast outlaw overkill overlord oxford pacers pacific packard packer packers pacman paddle padres paintbal
  paintball painter pakistan palace paladin pallmall palmer paloma pamela panama panasoni panasonic pancho pandora
  pantera panther panthers panties pantyhos panzer paradise paradox paranoid parker parola parrot partner pascal
  passat passes passion passme passport passwd passwor password passwords passwort pasword patches patience patric
  patrice patricia patrick patriot patriots patton paulie paulina pauline pavilion pavlov payton pdtplf peaches peanut
  peanuts pearljam pebbles pecker peekaboo peewee pegasus pelican pencil penelope penguin penguins penthous pentium
  people pepito pepper perfect persik person personal pervert peterpan peters peterson petrov peugeot peyton phantom
  pharmacy pheonix philip philippe philips phillies phillip phillips philly phoebe phoeni phoenix photos pianoman
  piazza picard picasso piccolo pickle pickles pickup picture picturs pierce pierre piglet pikachu pillow pimpin
  pinball pineappl pineapple pingpong pinhead pinkfloy pinkfloyd pioneer pippen pippin piramida pirate pirates pisces
  pissing pissoff pistol pistons pitbull pixies pizzas placebo planet plasma plastic platinum platypus playboy player
  players playing playstat playstation playtime please pleasure plumber plymouth pobeda pocket poetry poison pokemon
  poland polaris police polina polopolo polska pompey poncho pontiac poochie poodle poohbear pookie poontang pooper
  poopie poopoo pooppoop pooter popcorn popeye popper porkchop porsche porter portland portugal poseidon positive
  possum postal postman potato pothead potter powder powell powers praise preacher precious predator prelude premier
  premium presario presiden presto preston pretty primus prince princes princess pringles printer prissy private
  privet prodigy profit project promise property prophet prowler psycho public puddin pudding puffin pulsar pumpkin
  pumpkins punisher punkin punkrock puppies pupsik purdue purple pussey pussie pussies putter pyramid python qawsed
  qawsedrf qazqaz qazwsx qazwsxed qazwsxedc qazxsw qazxswedc qazzaq quality quantum quartz quattro queenie queens
  quincy qwaszx qweasd qweasdzxc qweqwe qwerasdf qwerty qwertyu qwertyui qwertyuio qwertyuiop rabbit rabota racecar
  racerx rachael rachel racing radical radiohea radiohead rafael ragnarok raider raiders railroad rainbow rainman
  raistlin rambler ramirez rammstein ramona ramones ramrod ramses ramsey rancid randall random ranger rangers raptor
  raquel rascal rasputin rastaman ravens raymond rbhbkk rctybz reader reading reagan reality really realmadrid reaper
  rebecca rebels reckless record records recovery redalert redbird redbull reddevil reddog reddwarf redfish redhead
  redhot redline redman redneck redrum redskins redsox redwing redwings redwood reebok reefer reggie regina register
  reload remember remote renata renault renegade rereirf rescue research resident respect retard retired revenge
  review reynolds rfhbyf rfnthbyf rfrfirf rfrnec rhbcnbyf rhfcjnrf rhiannon rhjrjlbk rhonda rhtdtlrj ricardo richard
  richards richie richmond rightnow ripken ripley ripper ripple rivers rjhjktdf rjirfrgbde rjntyjr rjycnfynby roadkill
  roadking roadrunn roadster robbie robert roberta roberto roberts robinson robotech robotics rochelle rocker rocket
  rockets rockford rockhard rockon rockstar rodman rodney rogers roland roller rolling rolltide romance romano romans
  romashka romero rommel ronald ronaldo ronnie rookie rooney rooster rootbeer roscoe rosebud rosemary rotten rovers
  roxanne royals rtyuehe rubber rulezzz runescape runner running rupert ruslan russell russia russian rustam sabbath
  sabina sabine sabres sabrina sacred safari safety sahara sailboat sailing sailor saints sairam saiyan sakura
  salamander salasana saleen salmon salomon salsero salvador samantha samara samiam sammie sampson samson samsun
  samsung samtron samuel samurai sanchez sancho sander sanders sandiego sandman sandra sandro sandwich sanfran santafe
  santana santiago santos sapper sapphire saratoga sascha sasuke satana saturday saturn sauron sausage sausages savage
  savannah sayang scania scanner scarface scarlet scarlett schalke school science scooby scoobydo scooter scorpio
  scorpion scotch scotland scottie scotty scrabble scrappy scratch scream screen script scruffy scully seadoo seahawks
  seamus searay search season seattle sebastia sebastian second secret secrets secure security seeker seeking seinfeld
  select selena seminole semperfi senator senators senior sensei sentinel septembe september serega serena serenity
  sergeant sergei sergey sergio sersolution server service services sesame severin shadow shadows shaggy shalom shaman
  shamrock shanghai shania shanna shannon shanti shaolin sharks sharky sharon shasta shaved shazam shearer sheena
  sheila shelby shelley shelly shemale shepherd sheridan sheriff sherlock sherman sherri sherry sherwood shiloh shiner
  shirley shocker shogun shooter shopping shorty shotgun showme showtime shuang shutup sidney siemens sierra silence
  silent silver silverad silvia simmons simona simone simple simpson simpsons sinatra sinbad sinclair singer single
  sinister sinned sinner sirius sister sithlord sixers skater skeeter skidoo skiing skinny skipper skippy skittles
  skorpion skydive skylar skyler skyline skywalke skywalker slacker slamdunk slapper slappy slapshot slavik slayer
  sleeper sleepy slider slinky slipknot slippery smashing smeghead smegma smelly smiles smiley smirnoff smiths smitty
  smoker smokes smokey smokie smokin smoking smooth smudge snakes snapon snapper snapple snappy snatch sneakers
  snickers sniper snooker snoopdog snoopy snowball snowboar snowboard snowflak snowman snuffy snuggles sobaka soccer
  socrates softail softball software soldier soleil solnce solomon solution someone somethin something sommer sonics
  sonoma sooner sooners sophia sophie soprano soulmate southern southpar southpark sowhat spaceman spanish spanking
  spankme spanky sparkle sparks sparky sparrow sparta spartak spartan spartans speaker spears special specialk spectre
  spectrum speedo speedy spencer sphinx spider spiderma spiderman spidey spiker spikes spinner spirit spitfire splash
  splinter sponge spongebo spongebob spooky sporting sports sporty spread spring springer sprint sprite spunky sputnik
  spyder squall squash squeeze squirrel squirt srinivas stacey stalin stalker stallion standard stanford stanislav
  stanley staples starbuck starcraf starcraft stardust starfire starfish stargate starman starship starstar starter
  startrek starwars stasik static station stealth steele steeler steelers stefan stefanie stefano steffi stella stepan
  stephani stephanie stephen stereo sterlin sterling steven stevens stevie stewart sticks sticky stiffy stimpy stinger
  stingray stinky stocking stocks stolen stonecol stonecold stoned stoner stones stoney stories stormy strange
  stranger stratus strawberry street strength stress stretch strider strike striker string stripper stroke stroker
  strong stuart stubby student studio studly stumpy stunner stupid stylus subaru sublime submit subway subzero success
  suicide sullivan sultan summer summit sundance sunday sunflowe sunflower sunnyday sunrise sunset sunshin sunshine
  superb superfly superma superman supersta superstar support supreme surfer surfing susana susanne sutton suzanne
  suzuki svetik svetlana svoboda swallow sweden sweetie sweetnes sweetpea sweets sweety swimmer swimming swinger
  swingers swordfis swordfish swords sydney sylvia syncmaster syracuse system syzygy tabitha tacobell tacoma talisman
  tamara tanker tanner tardis target tarheel tarheels tarzan tatiana tattoo tatyana taurus taxman taylor tazman
  tazmania tdutybq tdutybz teacher technics techno teddybea teddybear tekken telefon telephon tempest templar temple
  tennis tequila teresa terminal terminator terrapin terror tester testing testtest thailand thanatos thanks thankyou
  theater theatre theboss thecat thedog thedoors thedude theend thegame thegreat thekid theking thelma theman theodore
  theone theresa therock thesims thirteen thisisit thomas thompson thongs throat thuglife thumbs thumper thunder
  thunderb thursday tiberius tiburon ticket tickle tiffany tigers tigger tights timber timothy tinker tinkerbell
  tinman tintin tipper titanic titanium titans titleist titten titties tkbpfdtnf toaster tobias toffee together toledo
  tolkien tomato tomcat tommyboy tomorrow tomtom tongue toolman tootie tootsie topcat topdog topgun topher topper
  tornado toronto torres toshiba tottenha tottenham towers toyota tracey tracker tractor trader traffic trainer
  training trains trance transam translator trapper travel traveler travis treasure trebor trevor trfnthbyf triangle
  tricia tricky trident trigger trinidad trinity triple tripod tripper trisha tristan triton triumph trixie trojan
  trojans trombone trooper trouble trucker trucks truelove truman trumpet trunks tsunami tucker tuesday tulips
  tunafish tundra tuning turkey turner turtle tweety twenty twilight twinkle twisted twister typhoon tyrone ufkbyf
  ultima ultimate umbrella underdog undertak undertaker unicorn unique united universal universe unknown unreal uranus
  ursula usarmy usnavy utopia vacation vagina valencia valentin valentina valera valeri valeria valerie valhalla
  valkyrie valley vampire vampires vanessa vanguard vanhalen vanilla varvara vasilisa vector vectra vedder vegeta
  velvet venera venice ventura verbatim veritas verizon vermont vernon verona veronica veronika versace vertigo vfczyz
  vfhbyf vfhecz vfhufhbnf vfibyf vfitymrf vfksirf vfrcbv vfrcbvrf vfvekz vfvfgfgf vfvjxrf viagra victor victoria
  victory vietnam viewsonic viking vikings viktor viktoria viktoriya village vincent vinnie violet violetta violin
  vipers virgin virginia virtual vision visual vitalik vivian vjcrdf vkontakte vladik vladimir vladislav volcom volley
  volume voodoo vortex voyager voyeur vsegda vulcan wagner walker wallace walleye walmart walnut walrus walter wanker
  wanted wapbbs warcraft wareagle warhammer warlock warlord warner warning warren warrior warriors warthog washingt
  washington wasser wassup watcher waterloo waters watson weasel weather weaver webber webhompas webmaste webmaster
  webster wedding weezer welcom welcome welder werder werewolf werner wesley western westham westside westwood
  whatever whatsup wheels whiskers whiskey whisky whisper whiteout whitesox whitey whitney whocares whynot wibble
  wicked wilbur wildcard wildcat wildcats wildfire wildman willia william williams willie willis willow wilson
  windmill window windows windsor windsurf wingman winner winners winnie winston winter wisdom wishbone wizard wolfie
  wolfman wolfpack wolverin wolverine wolves wombat wonder woodland woofer woofwoof woohoo wookie working wraith
  wrangler wrench wrestle wrestlin wrestling wright writer wutang xanadu xander xavier xerxes xfiles xtreme yamaha
  yankee yankees ybrbnf ybrjkfq yeahbaby yellow yfcntymrf yfnfif yfnfkmz yjdsqgfhjkm yolanda yomama yosemite yourmom
  yugioh yvette yvonne yzerman zachary zalupa zander zaphod zaqwsx zaqxsw zaqxswcde zaraza zenith zephyr zeppelin
  zerocool zhjckfd zhuang zidane zigzag zildjian zipper zombie zvezda zxcasd zxcasdqwe zxcvbn zxcvbnm zzzxxx
`);
