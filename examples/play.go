// Join a table of Tikal and play legal moves at random, with a generated client; the rest is Go's standard library.
//
//	make generators
//	cd examples; go run play.go           # opens a table for two and prints its number
//	cd examples; go run play.go GAME      # joins that table
//
// `SITE` is the server, `MAIL` the page with its mails.
package main

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"time"

	sealedmove "games.example/sealedmove/client"
)

var (
	site = cmp.Or(os.Getenv("SITE"), "http://127.0.0.1:8000")
	mail = cmp.Or(os.Getenv("MAIL"), "http://127.0.0.1:8001")
	b64  = base64.RawURLEncoding.EncodeToString
	ctx  = context.Background()

	public, private, _ = ed25519.GenerateKey(rand.Reader)

	jwk   = sealedmove.Jwk{Crv: "Ed25519", Kty: "OKP", X: b64(public)}
	thumb = sha256.Sum256(dump(jwk))
	kid   = b64(thumb[:])
)

// The answer; otherwise it ends the program with the server's error.
func expect[T any](answer T, _ *http.Response, err error) T {
	var refused *sealedmove.GenericOpenAPIError
	if errors.As(err, &refused) {
		log.Fatalf("%s: %s", refused.Error(), refused.Body())
	}
	if err != nil {
		log.Fatal(err)
	}
	return answer
}

func dump(value any) []byte {
	text, err := json.Marshal(value)
	return expect(text, nil, err)
}

func sign(payload any, typ string) string {
	header := sealedmove.JwsHeader{Alg: "Ed25519", Kid: kid, Typ: typ}
	said := b64(dump(header)) + "." + b64(dump(payload))
	return said + "." + b64(ed25519.Sign(private, []byte(said)))
}

func client(token string) *sealedmove.APIClient {
	settings := sealedmove.NewConfiguration()
	settings.Servers[0].URL = site
	if token != "" {
		settings.AddDefaultHeader("Authorization", "Bearer "+token)
	}
	return sealedmove.NewAPIClient(settings)
}

// Signs in by a mailed link, which the page of caught mails shows. A bot of this account then plays.
func signIn() *sealedmove.APIClient {
	me, name, here, api := fmt.Sprintf("gil.%d@players.example", time.Now().UnixNano()), "Gil", "gil", client("")
	expect(api.LoginAPI.RequestLogin(ctx).Login(sealedmove.Login{Email: me, Name: &name}).Execute())
	link := ""
	for found := regexp.MustCompile(`/login/([\w.~-]+)`); link == ""; time.Sleep(200 * time.Millisecond) {
		answer, err := http.Get(mail + "/mail.json?to=" + url.QueryEscape(me))
		mails, _ := io.ReadAll(expect(answer, nil, err).Body)
		if one := found.FindSubmatch(mails); one != nil {
			link = string(one[1])
		}
	}
	in := expect(api.LoginAPI.ConfirmLogin(ctx).Confirm(sealedmove.Confirm{Token: link, Name: &here}).Execute())
	bot := client(in.Token).BotsAPI.CreateBot(ctx).BotName(sealedmove.BotName{Name: "Gil's program"})
	return client(expect(bot.Execute()).Token)
}

func register(api *sealedmove.APIClient, host string) {
	nonce := expect(api.KeysAPI.CreateKeyChallenge(ctx).Execute()).Nonce
	payload := sealedmove.RegisterPayload{V: 1, Aud: host, Act: "register", Key: jwk, Nonce: nonce}
	key := sealedmove.RegisterKey{Jws: sign(payload, "sealedmove-key+jws")}
	expect(api.KeysAPI.RegisterKey(ctx).RegisterKey(key).Execute())
}

func join(api *sealedmove.APIClient, host string, game *sealedmove.Game, seat int32) {
	nonce := make([]byte, 32)
	rand.Read(nonce)
	payload := sealedmove.JoinPayload{
		V: 1, Aud: host, Game: game.Id, Act: "join", Seat: seat, Seq: game.Head.Seq + 1, Prev: game.Head.Hash,
		Key: jwk, Bot: true, Nonce: b64(nonce), // Recovery stays null: no recovery key
	}
	body := sealedmove.Join{Jws: sign(payload, "sealedmove+jws")}
	expect(api.ActsAPI.JoinGame(ctx, game.Id).Join(body).Execute())
}

// Chooses a legal command by the entry's number; half of the time it ends the turn where that is legal.
func move(api *sealedmove.APIClient, host string, game *sealedmove.Game, seat int32) {
	legal := expect(api.PositionAPI.ListLegal(ctx, game.Id).Execute())
	chosen := legal[int(game.Head.Seq)*7%len(legal)].TikalLegal.Command
	steps := []sealedmove.TikalStep{sealedmove.TikalCommandAsTikalStep(&chosen)}
	if game.Head.Seq%4 < 2 {
		done := sealedmove.TikalDoneAsTikalCommand(&sealedmove.TikalDone{Do: "done"})
		steps = append(steps, sealedmove.TikalTryAsTikalStep(&sealedmove.TikalTry{Try: done}))
	}
	payload := sealedmove.TikalMovePayload{
		V: 1, Aud: host, Game: game.Id, Act: "move", Seat: seat, Commands: steps,
		Seq: game.Head.Seq + 1, Prev: game.Head.Hash,
	}
	body := sealedmove.Move{Jws: sign(payload, "sealedmove+jws")}
	expect(api.ActsAPI.SubmitMove(ctx, game.Id).Move(body).Execute())
}

func main() {
	parts, err := url.Parse(site)
	host, api, seat := expect(parts, nil, err).Host, signIn(), int32(0)
	register(api, host)
	look := func(id string) *sealedmove.Game { return expect(api.GamesAPI.GetGame(ctx, id).Execute()) }
	var game *sealedmove.Game
	if len(os.Args) > 1 {
		game, seat = look(os.Args[1]), 1
	} else {
		game = expect(api.GamesAPI.CreateGame(ctx).CreateGame(sealedmove.CreateGame{Type: "tikal", Seats: 2}).Execute())
		fmt.Println(game.Id)
	}
	join(api, host, game, seat)
	for game = look(game.Id); game.Status == "lobby" || game.Status == "running"; game = look(game.Id) {
		if slices.Contains(game.Active, seat) {
			move(api, host, game, seat)
		} else { // hold a request until something happens
			expect(api.LogAPI.GetLog(ctx, game.Id).After(game.Head.Seq).Wait(20).Execute())
		}
	}
	fmt.Printf("over: %s, places %s\n", game.Result.Get().Reason, dump(game.Result.Get().Places))
}
