/** Ordinary texts in which nothing is replaced, between bars. */
export const ORDINARY: readonly string[] = String.raw`
  #W1234567 | Order #W2378156 has shipped | order id W5442520 | Reservation HXDUBJ | My user id is sara_doe_496 |
  mia_li_3668 | credit_card_9513926 | gift_card_7245904 | paypal_3024827 | certificate_7504069 | item 6259501109 |
  {"item_id": "1008292230", "price": 189.57} | {"product_id":"9523456873","order_id":"#W2611340"} |
  product id 4896585277 | order 1234567890 | Your order number is 5551234567 |
  tracking number 9400110200881234567890 | tracking 1Z999AA10123456784 | Sendungsnummer 00340434161094000000 |
  Bestellnummer 0301234567 | Kundennummer 12345678 | Invoice 2024-000123 | invoice no. 0301234567 |
  case 555-123-4567 | ticket number 12345678 | flight HAT170 | Flight LH 1234 to Berlin | UA 328 at gate B12 |
  HAT001 departs 2024-05-16 | 2024-05-15 | 2024-05-15T15:00:00Z | 2024-05-15T15:00:00.000+05:30 | 15.05.2024 |
  05/15/2024 | 15 May 2024 | at 10:30 | 10:30 am EST | 15:00:00 | between 09:00 and 17:30 | UTC+02:00 | GMT+0530 |
  call me on 2024-05-17 | call me at 10:30 on 17.05.2024 | Text me on 2024-05-15 10:30 | 1715782800 |
  1715782800123 | 1715782800123456 | 1715782800123456789 | $1,234.56 | $1234567 | 1.234.567,89 € | EUR 49.99 |
  total: 1299 | a balance of 1234567 USD | +1000 points | +15% | +12,500 users | 1 000 000 | 1,000,000 | 12345678 |
  99999999999 | 3.14159265358979 | 0.4539578763621486 | {"score": 0.5105105105105100} | 1e10 | v1.2.3 |
  version 10.15.7 | Node 24.21.0 | build 20240515 | Chrome/124.0.6367.207 | 192.168.0.1 | 10.0.0.1:8080 |
  192.168.100.200 | 2001:db8::ff00:42:8329 | call the service at 192.168.100.200 | 00:1A:2B:3C:4D:5E | 127.0.0.1 |
  550e8400-e29b-41d4-a716-446655440000 | f47ac10b-58cc-4372-a567-0e02b2c3d479 | d41d8cd98f00b204e9800998ecf8427e |
  e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 | commit d9944f14 | sha256:9f86d081884c7d65 |
  trace 4bf92f3577b34da6a3ce929d0e0e4736 | span 00f067aa0ba902b7 | gpt-4o-2024-08-06 | claude-sonnet-4-5-20250929 |
  Qwen2.5-7B-Instruct | llama-3.1-405b | text-embedding-3-small | mistral-large-2407 | iPhone 15 Pro Max 256GB |
  my phone is an iPhone 13 | Galaxy S24 Ultra | The phone costs 1299.00 | The phone has 8 GB and 5000 mAh |
  Smartphone 6259501109 | {"name":"Phone","product_id":"1234567890"} | 1 TB hard drive | 2 flash drives |
  16 GB USB drive | 3 Google Drive links | 4 wheel drive | 5 star hotel on the road | 7 Day Road Trip |
  21 Street Food recipes | 2 Street Bike tires | 10 minutes on the way | 3 blocks down the street | 100 ways |
  2 way street | 5 place settings | In 2024 the court decided | 6 lane road | 12 more on the avenue |
  3 of the places | Highway 61 | Route 66 | 42nd Street | Main Street | Wall Street fell by 3 percent |
  Spring 2024 | String 12 | Engineering 101 | Offering 5 | Hamburg Bahnhof 12 | Sitzplatz 12 | Parkplatz 5 |
  Platz 12 | Weg 3 | Im Januar 2024 | Am Montag 12 | 10115 Berlin | zip 62704 | {"zip": "62704", "city": "Austin"} |
  ZIP 12345-6789 | Springfield, IL | via PayPal 12 | 3 cours de danse | SKU 123-ABC-456 | SKU-0042-XL | AB-1234-CD |
  B08N5WRWNW | ISBN 978-3-16-148410-0 | EAN 4006381333931 | part number 555-0100 | model XPS-13-9310 |
  serial C02XK1ABJG5H | SN 8H2K-99XZ | VIN 1HGCM82633A004352 | https://example.com/orders/1234567890 |
  https://shop.com/p/555-123-4567 | https://x.com/?id=42&page=7 | https://github.com/clew/clew/issues/1234 |
  git@github.com:clew/clew.git | user@host | @sara on Twitter | @clew/rules | foo@1.2.3 | lodash@4.17.21 |
  image@2x.png | 5 @ 3.99 | ssh root@server | https://medium.com/@clew/post-1234 | Is the password required? |
  password is required | Please reset my password | password: ******** | password: <password> |
  api_key: your-api-key-1234 | The token limit is 4096 | max_tokens: 1024 | token count: 128000 |
  session token: none | The PIN code is on the back | The CVV has 3 digits | secret garden | pin 3 of the chip |
  bearer of good news | JFK to SEA | 3 bags and 2 passengers | economy, 2 seats | size 42, color blue | 500 ml |
  75 x 75 cm | 19.5 x 12.5 | 1/2 cup | 24/7 | 50/50 | 404 Not Found | HTTP 200 | error 0x80070057 | port 8080 |
  E = mc2 | ISO 8601 | RFC 2119 | RTX 4090 | Windows 11 | COVID-19 | Boeing 737-800 | A320-200 | COSINE 0.98 |
  GB29 is a prefix | DE 12 | the year 2024 | 1990s | Q3 2024 | 100% | -40 | 3rd | No. 5 | 1st place |
  Chapter 12, page 345 | 4:3 | 16:9 | Psalm 23:4 | SARA | The Lord of the Rings | St. Louis | Dr. Pepper |
  Dr. Smith will see you at 3 | 2 Dr. Pepper cans | Elm Street | [email 1] | call [phone 12] or [name 3] |
  {"a": [1, 2, 3], "b": null} | SELECT * FROM orders WHERE id = 1234567 | for (let i = 0; i < 10; i += 1) |
  latitude 52.520008, longitude 13.404954 | 52.520008 13.404954 | 0xDEADBEEF | 4242 | 1111 2222 |
  1234 5678 9012 3456 | 12 34 56 | 3-2-1 | 555-0100 | 1-2-3-4-5-6-7 | 999-99-9999 | 000-12-3456 |
  DE89370400440532013001 | {"n":-4111111111111111} | [-4111111111111111] | Founded in 1985, Union Square Cafe | MW_20160223171404 | NDC 0338-1715-40 | 10.1016/S0019-1035(22)00489-4 |
  5 Wall Street analysts | {"headline": "5 Exciting Emerging Markets"} | reset your password: https://a.com/reset12 |
`
  .split('|')
  .map((text) => text.trim())
  .filter((text) => text !== '');
